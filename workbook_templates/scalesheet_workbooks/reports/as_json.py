"""A review as JSON. The schema is ``scalesheet.review/1``; a key is never given another meaning.

    {
      "schema": "scalesheet.review/1",
      "files": [{
        "file", "sha256", "bytes", "reviewed_on" (ISO), "materiality" (0-1), "verdict",
        "read": true | false, "reason": code when not read, "message",
        "template": {"name", "version", "by"} | null, "title", "saved_by", "currency",
        "totals": [{"scenario", "stated", "recomputed", "by_template", "proposed": true | false,
                    "days", "efficiency" (0-1), "cost_per_gpu_hour" (productive),
                    "contingency"}],                                   numbers or null
        "counts": {"high", "medium", "low", "info"},
        "findings": [finding], "accepted": [finding with "reason"],
        "bridges": [{"scenario", "before", "start", "end",
                     "bars": [{"name", "amount", "changes": [text]}]}],
        "changes_without_effect": [text], "not_compared": why, when --against was another template,
        "recalculated": {"formulas", "as_stored", "stale", "not_stored", "not_calculated",
                         "by_core", "core_differs"},
        "drivers", "notes", "checked", "not_checked": [text]
      }]
    }

A finding has "id", "title", "band", "severity", "fingerprint", "sheet", "cells", "line", "label",
"seen", "expected", "rule", "remedy", "consequences" and "effects": [{"scenario", "amount" (null:
the total is undetermined), "share" (0-1)}].
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from scalesheet_workbooks.review.findings import Finding
from scalesheet_workbooks.review.outcome import Review
from scalesheet_workbooks.review.rules import SEVERITIES

SCHEMA = "scalesheet.review/1"


def document(reviews: Sequence[Review]) -> str:
    """The document of one or several reviews."""
    found = {"schema": SCHEMA, "files": [_file(one) for one in reviews]}
    return json.dumps(found, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _file(review: Review) -> dict[str, Any]:
    return {
        "file": review.file,
        "sha256": review.sha256,
        "bytes": review.size,
        "reviewed_on": review.on.isoformat(),
        "materiality": review.materiality,
        "verdict": review.verdict,
        "read": not review.unreadable,
        "reason": review.reason or None,
        "message": review.unreadable or None,
        "template": review.recognised._asdict() if review.recognised else None,
        "title": review.title,
        "saved_by": review.program,
        "currency": review.currency,
        "totals": [total._asdict() for total in review.totals],
        "counts": {severity: review.count(severity) for severity in SEVERITIES},
        "findings": [_finding(one) for one in review.findings],
        "accepted": [_finding(one) | {"reason": one.accepted} for one in review.accepted],
        "bridges": [asdict(bridge) for bridge in review.bridges],
        "changes_without_effect": list(review.without_effect),
        "not_compared": review.not_compared or None,
        "recalculated": review.recount._asdict(),
        "drivers": list(review.drivers),
        "notes": list(review.notes),
        "checked": list(review.done),
        "not_checked": list(review.not_done),
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "id": one.rule.id,
        "title": one.rule.title,
        "band": one.rule.band,
        "severity": one.severity,
        "fingerprint": one.fingerprint,
        "sheet": one.sheet,
        "cells": list(one.cells),
        "line": one.line,
        "label": one.label,
        "seen": one.seen,
        "expected": one.expected,
        "rule": one.rule.rule,
        "remedy": one.remedy,
        "consequences": list(one.consequences),
        "effects": [
            {"scenario": e.scenario, "amount": e.amount, "share": e.share} for e in one.effects
        ],
    }
