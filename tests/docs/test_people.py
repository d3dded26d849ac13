"""What surrounds the code: citation, release checklist, templates, workflow and hooks say what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from seedrank.core.package import VERSION

ROOT = Path(__file__).resolve().parents[2]
GITHUB = ROOT / ".github"
PAGES = ("CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "RELEASE.md", "CITATION.cff")
FORMS = [form for form in sorted((GITHUB / "ISSUE_TEMPLATE").glob("*.yml")) if form.stem != "config"]


def read(path: Path) -> dict:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def targets() -> set[str]:
    """The targets of the Makefile."""
    return set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_the_citation_is_of_this_version():
    citation = read(ROOT / "CITATION.cff")
    dates = dict(re.findall(r"^## (\d\S*) \((\d{4}-\d\d-\d\d)\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE))
    assert citation["version"] == VERSION
    assert citation.get("date-released") == dates.get(VERSION)
    assert citation["authors"] == [{"name": "seedrank contributors"}]
    assert not {"repository-code", "url"} & set(citation)


@pytest.mark.parametrize("name", PAGES)
def test_no_mail_and_no_address_is_made_up(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"\w@\w", text)
    assert "://" not in text


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "RELEASE.md", "README.md", ".github/pull_request_template.md"])
def test_targets_that_documents_name_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = re.findall(r"(?:`|^)make ([a-z0-9 -]+?)(?:`|$)", text, re.MULTILINE)
    named = {word for line in lines for word in line.split()}
    assert named
    assert named <= targets()


def test_every_target_is_declared_and_has_a_line_of_help():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [phony] = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    helped = re.findall(r"^([a-z0-9-]+):.*##", makefile, re.MULTILINE)
    assert set(phony.split()) == set(helped) == targets()


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_issue_forms_are_forms(form):
    asked = read(form)
    assert {"name", "description", "body"} <= set(asked)
    fields = [field for field in asked["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields) > 0
    assert all(field["attributes"]["label"] for field in fields)


def test_every_job_of_the_workflow_is_one_target():
    jobs = read(GITHUB / "workflows" / "checks.yml")["jobs"]
    for name, job in jobs.items():
        commands = [step["run"] for step in job["steps"] if "run" in step]
        assert len(commands) == 1, name
        program, target = commands[0].split()
        assert program == "make"
        assert target in targets(), f"{name}: make {target}"
        for used in (step["uses"] for step in job["steps"] if "uses" in step):
            assert re.fullmatch(r"actions/[a-z-]+@v\d+", used)
    matrix = jobs["unit"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "macos"}


def test_hooks_are_local_and_the_linters_of_make_lint():
    recipe = re.findall(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[0]
    linters = [line.strip().replace("$(BIN)", ".venv/bin").removesuffix(" .") for line in recipe.splitlines()]
    [repository] = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    hooks = repository["hooks"]
    assert [hook["entry"].removesuffix(" --force-exclude") for hook in hooks] == linters
    assert {hook["language"] for hook in hooks} == {"system"}
