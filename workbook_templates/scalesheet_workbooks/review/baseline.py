"""Findings that somebody has accepted: by fingerprint, with a reason and a last day.

A baseline file is TOML:

    [[accepted]]
    fingerprint = "3f0c..."       # as the reports print it
    rule = "I204"                 # optional, checked when given
    reason = "contract of 2026-03-01, seen by A. Owner"
    expires = 2027-03-31
"""

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scalesheet.errors import ScalesheetError

if TYPE_CHECKING:
    from scalesheet_workbooks.review.outcome import Review


class BaselineError(ScalesheetError):
    """A baseline file that cannot be used; the text is one line."""


class Acceptance(NamedTuple):
    """One accepted finding."""

    fingerprint: str
    reason: str
    expires: datetime.date
    rule: str = ""


def load_baseline(path: Path) -> tuple[Acceptance, ...]:
    """The acceptances in a file."""
    import tomllib  # few reviews have a baseline

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise BaselineError(f"{path}: there is no such file: check the path") from None
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise BaselineError(f"{path}: cannot be read as TOML: {error}") from None
    entries = data.get("accepted", [])
    if set(data) - {"accepted"} or not isinstance(entries, list):
        raise BaselineError(f"{path}: holds more than [[accepted]] tables: take the rest out")
    return tuple(_acceptance(path, place, entry) for place, entry in enumerate(entries, 1))


def _acceptance(path: Path, place: int, entry: object) -> Acceptance:
    where = f"{path}: accepted {place}"
    if not isinstance(entry, dict):
        raise BaselineError(f"{where}: must be a table: write [[accepted]]")
    for key in ("fingerprint", "reason"):
        if not isinstance(entry.get(key), str) or not entry[key].strip():
            raise BaselineError(f'{where}: {key} is missing: write {key} = "..."')
    unknown = set(entry) - {"fingerprint", "reason", "expires", "rule"}
    if unknown:
        raise BaselineError(f"{where}: {min(unknown)} is no key: take it out")
    day = entry.get("expires")
    if isinstance(day, datetime.datetime) or not isinstance(day, datetime.date):
        raise BaselineError(f"{where}: expires is missing: write expires = 2027-03-31")
    return Acceptance(
        entry["fingerprint"].strip(), entry["reason"].strip(), day, entry.get("rule", "")
    )


def applied(review: "Review", accepted: Sequence[Acceptance]) -> "Review":
    """The review with accepted findings set apart; what is accepted no longer is said."""
    if not accepted:
        return review
    known = {one.fingerprint: one for one in accepted}
    kept, apart, notes = [], [], list(review.notes)
    for one in review.findings:
        acceptance = known.pop(one.fingerprint, None)
        if acceptance is None or (acceptance.rule and acceptance.rule != one.rule.id):
            kept.append(one)
        elif acceptance.expires < review.on:
            notes.append(
                f"the acceptance of {one.rule.id} at {one.where} expired {acceptance.expires}"
            )
            kept.append(one)
        else:
            reason = f"{acceptance.reason} (until {acceptance.expires})"
            apart.append(one._replace(accepted=reason))
    notes += [f"{one.fingerprint} in the baseline matches no finding" for one in known.values()]
    return review._replace(findings=tuple(kept), accepted=tuple(apart), notes=tuple(notes))
