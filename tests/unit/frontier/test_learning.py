"""Models: what they predict, how they travel, and that nothing leaks from the judged pages."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.tree import DecisionTreeRegressor

from seedrank.core.errors import GraphError, InputError
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.frontier.answer import learned
from seedrank.methods.frontier.features import EXTRAS, METHOD_FEATURES, feature_names, features
from seedrank.methods.frontier.learn import _tree, learn, learn_from
from seedrank.methods.frontier.model import KINDS, read_model, write_model
from seedrank.methods.frontier.problem import pose
from seedrank.methods.frontier.quality import impact_shares
from seedrank.methods.frontier.scores import Scores, best_first
from seedrank.methods.frontier.trial import hide, split

NAMES = ("indegree", "pagerank", "rw")


def sample(rows=600, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.lognormal(0, 1.5, (rows, 3))
    return x, 5 * x[:, 2] + rng.lognormal(0, 1, rows)


def web(pages=600, seed=3):
    """Pages link to pages that matter: who has much impact is linked by those who have."""
    rng = np.random.default_rng(seed)
    impact = np.floor(rng.lognormal(0, 2, pages))
    weight = (impact + 1) / (impact + 1).sum()
    source = np.repeat(np.arange(pages), 8)
    target = rng.choice(pages, 8 * pages, p=weight)
    return WebGraph.from_links(pages, source, target, columns={"clicks": impact}), impact


def trial_of(seed=1):
    graph, impact = web()
    crawled = np.ones(graph.pages, bool)
    trial = hide(graph, crawled, ~crawled, impact, 0.35, seed)
    return trial, Scores(trial.problem)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_model_learns_and_travels(kind, tmp_path):
    x, truth = sample()
    model = learn(x, truth, NAMES, kind)
    fresh, expected = sample(seed=1)
    predicted = model.predict(fresh)
    assert np.corrcoef(np.argsort(np.argsort(predicted)), np.argsort(np.argsort(expected)))[0, 1] > 0.6
    assert model.importance.sum() == pytest.approx(1)
    assert np.argmax(model.importance) == 2
    write_model(model, tmp_path / "m.json")
    again = read_model(tmp_path / "m.json", NAMES)
    np.testing.assert_array_equal(again.predict(fresh), predicted)
    assert again.features == NAMES


@pytest.mark.slow
def test_our_trees_predict_as_scikit_learn_does():
    x, truth = sample()
    fresh, _ = sample(seed=2)
    fitted = DecisionTreeRegressor(max_depth=6, random_state=1).fit(x, truth)
    np.testing.assert_allclose(_tree(fitted).predict(fresh), fitted.predict(fresh))
    boosted = GradientBoostingRegressor(
        n_estimators=100, learning_rate=0.1, max_depth=4, min_samples_leaf=5, subsample=0.5, random_state=1
    ).fit(x, truth)
    np.testing.assert_allclose(learn(x, truth, NAMES, "boosting").predict(fresh), boosted.predict(fresh))


def test_files_that_are_no_model_of_ours(tmp_path):
    x, truth = sample(50)
    file = tmp_path / "m.json"
    write_model(learn(x, truth, NAMES, "tree"), file)
    record = json.loads(file.read_text())

    def refused(text, message):
        file.write_text(text)
        with pytest.raises(InputError, match=message):
            read_model(file, NAMES)

    refused("{", "not a model of seedrank")
    refused("[]", "not a model of seedrank")
    refused(json.dumps({**record, "seedrank model": 7}), "another version")
    refused(json.dumps({**record, "seedrank model": 1}), "scores that depend on the size of the graph.*learn it again")
    refused(json.dumps({**record, "features": ["indegree", "pagerank", "moon"]}), "not to be had here: moon")
    refused(json.dumps({**record, "kind": "oracle"}), "damaged")
    refused(json.dumps({**record, "parts": [{}]}), "damaged")
    loop = [{**part, "left": [0] * len(part["left"])} for part in record["parts"]]
    refused(json.dumps({**record, "parts": loop}), "damaged")
    with pytest.raises(InputError, match="No such file"):
        read_model(tmp_path / "none.json", NAMES)


def test_nothing_to_learn_from():
    with pytest.raises(GraphError, match="equal impact"):
        learn(np.ones((5, 3)), np.ones(5), NAMES)


def test_features_are_scores_and_facts_of_the_pages():
    trial, scores = trial_of()
    names = feature_names(scores, extras=True)
    assert names == ("indegree", "pagerank", "rw", "rw-eg", *EXTRAS)
    assert {name for name in METHOD_FEATURES if name.startswith("q-")}.isdisjoint(names)
    rows = features(scores, trial.pages, names)
    problem, page = trial.problem, int(trial.pages[7])
    offsets, targets = problem.graph.out_offsets, problem.graph.out_targets
    citing = [s for s in range(problem.graph.pages) if page in targets[offsets[s] : offsets[s + 1]]]
    row = dict(zip(names, rows[7], strict=True))
    assert row["indegree"] == len(citing)
    assert row["mean-impact-of-citing"] == pytest.approx(problem.impact[citing].mean())
    assert row["max-impact-of-citing"] == problem.impact[citing].max()
    assert row["virtual-neighbours"] == (scores.virtual_links.target == page).sum()


def twice(problem):
    """The same problem with a second copy of every page and link; copies are not linked with each other."""
    graph, pages = problem.graph, problem.graph.pages
    source, target = np.repeat(np.arange(pages), graph.out_degree), np.array(graph.out_targets)
    both = WebGraph.from_links(2 * pages, np.append(source, source + pages), np.append(target, target + pages))
    crawled, frontier, impact = (np.tile(part, 2) for part in (problem.crawled, problem.frontier, problem.impact))
    return pose(both, NativeEngine(both), crawled, frontier, impact)


def test_features_do_not_depend_on_the_size_of_the_graph():
    trial, scores = trial_of()
    names, pages = feature_names(scores, extras=True), trial.problem.graph.pages
    doubled = Scores(twice(trial.problem))
    rows = features(scores, trial.pages, names)
    for copy in (trial.pages, trial.pages + pages):
        np.testing.assert_allclose(features(doubled, copy, names), rows, rtol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_model_of_one_graph_ranks_the_pages_of_a_larger_one_alike(kind, tmp_path):
    trial, scores = trial_of()
    pages, every = trial.problem.graph.pages, np.ones(len(trial.pages), bool)
    write_model(learn_from(trial, scores, every, kind, feature_names(scores), 1), tmp_path / "m.json")
    model = read_model(tmp_path / "m.json", feature_names(scores))
    alone, doubled = learned(scores, model), learned(Scores(twice(trial.problem)), model)
    assert len(np.unique(alone[trial.pages])) > 10
    np.testing.assert_allclose(doubled[:pages], alone, rtol=1e-6)
    np.testing.assert_allclose(doubled[pages:], alone, rtol=1e-6)


def shares(trial, scores, truth, kind, seed):
    """Impact share at 10 % on judged pages of a model that learnt from `truth` of the others."""
    train = split(len(trial.pages), seed)
    names = feature_names(scores)
    shown = type(trial)(trial.problem, trial.pages, truth)
    model = learn_from(shown, scores, train, kind, names, seed)
    judged = trial.pages[~train]
    values = np.zeros(trial.problem.engine.pages)
    values[judged] = model.predict(features(scores, judged, names))
    true = np.zeros(trial.problem.engine.pages)
    true[trial.pages] = trial.truth
    return float(impact_shares(true[best_first(values, judged)], [len(judged) // 10])[0])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_shuffled_targets_teach_nothing(kind):
    """A model that learns true impact finds much; one that learns shuffled impact finds no more than chance."""
    true, shuffled, chance = [], [], []
    for seed in range(12):
        trial, scores = trial_of(seed)
        rng = np.random.default_rng(seed)
        true.append(shares(trial, scores, trial.truth, kind, seed))
        shuffled.append(shares(trial, scores, rng.permutation(trial.truth), kind, seed))
        judged = trial.truth[~split(len(trial.pages), seed)]
        chance.append(float(impact_shares(rng.permutation(judged), [len(judged) // 10])[0]))
    error = np.std(np.array(shuffled) - np.array(chance)) / len(chance) ** 0.5
    assert np.mean(true) > np.mean(chance) + 0.3
    assert np.mean(shuffled) < np.mean(chance) + max(4 * error, 0.1)


def test_what_is_hidden_is_hidden():
    graph, impact = web()
    crawled = np.ones(graph.pages, bool)
    trial = hide(graph, crawled, ~crawled, impact, 0.35, 1)
    problem = trial.problem
    assert not problem.impact[trial.pages].any()
    assert not problem.out_degree[trial.pages].any()
    np.testing.assert_array_equal(trial.truth, impact[trial.pages])
    # Whatever hidden pages earn or link to, no score changes.
    other = np.where(problem.crawled, impact, 10 * impact + 5)
    links = np.repeat(np.arange(graph.pages), graph.out_degree), np.array(graph.out_targets)
    links[1][~problem.crawled[links[0]]] = 0
    changed = WebGraph.from_links(graph.pages, *links)
    again = hide(changed, crawled, ~crawled, other, 0.35, 1)
    for method in ("rw", "rw-eg", "pagerank", "indegree"):
        np.testing.assert_array_equal(Scores(again.problem).of(method), Scores(problem).of(method))
