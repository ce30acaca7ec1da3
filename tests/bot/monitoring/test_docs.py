"""monitoring.md, the dashboard and the alert rules in `docs` name only metrics that exist; page and dashboard, all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from bot.metrics import Metrics

DOCS = Path(__file__).resolve().parents[3] / "docs"


def known() -> dict[str, set[str]]:
    """The labels of each sample, by the sample's name."""
    metrics = Metrics()
    metrics.boards_looked_up(lambda: (0, 0))
    labels_by_name: dict[str, set[str]] = {"up": {"job", "instance"}}
    for family in metrics.registry.collect():
        labels = {"job", "instance"}
        collector = metrics.registry._names_to_collectors.get(family.name)
        labels |= set(getattr(collector, "_labelnames", ()) or (("result",) if "lookups" in family.name else ()))
        endings = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}.get(family.type, [""])
        for ending in endings:
            labels_by_name[family.name + ending] = labels | ({"le"} if ending == "_bucket" else set())
    return labels_by_name


def alerts() -> dict[str, str]:
    text = (DOCS / "monitoring/alerts.yaml").read_text()
    return dict(re.findall(r"- alert: (\w+)\n +expr: (.+)\n", text))


def panels() -> Iterator[str]:
    board = json.loads((DOCS / "monitoring/dashboard.json").read_text())
    for panel in board["panels"]:
        for target in panel["targets"]:
            yield target["expr"]


def check(expression: str) -> None:
    """Check that an expression's metrics exist, and that all of them together have the labels that it uses."""
    names = set(re.findall(r"\b(?:harbormaster|process)_\w+|\bup\b", expression))
    assert names, expression
    assert names <= set(known()), expression
    labels = set.union(*(known()[name] for name in names))
    named = {word.strip() for group in re.findall(r"\bby \(([^)]*)\)", expression) for word in group.split(",")}
    named |= set(re.findall(r"(\w+)=~?\"", expression))
    assert named <= labels, expression
    assert expression.count("(") == expression.count(")")


def test_there_are_seven_alerts_and_their_metrics_exist() -> None:
    assert len(alerts()) == 7
    for expression in alerts().values():
        check(expression)


def test_the_dashboard_shows_all_metrics_and_only_existing_ones() -> None:
    expressions = list(panels())
    for expression in expressions:
        check(expression)
    text = " ".join(expressions)
    for name in known():
        if name.startswith("harbormaster_") and not name.endswith(("_sum", "_count")):
            assert name in text, name


def test_the_page_names_each_metric_and_each_alert() -> None:
    text = (DOCS / "monitoring.md").read_text()
    for family in Metrics().registry.collect():
        if family.name.startswith("harbormaster_"):
            assert f"`{family.name}" in text, family.name
    assert "`harbormaster_board_cache_lookups_total" in text
    for name in alerts():
        assert f"`{name}`" in text, name
