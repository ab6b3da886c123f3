"""Many files reviewed one after the other, on as many processes as there are cores."""

import datetime
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from scalesheet.errors import ScalesheetError
from scalesheet_workbooks.review.baseline import Acceptance
from scalesheet_workbooks.review.outcome import Review
from scalesheet_workbooks.review.run import review

FEW = 16
"""Files for which it takes longer to start another process than to review them."""
MOST_PROCESSES = 8


def reviews(
    paths: Sequence[Path],
    today: datetime.date | None,
    materiality: float,
    against: Path | None = None,
    accepted: Sequence[Acceptance] = (),
) -> Iterator[Review]:
    """The reviews of files, in the order of the files, each as soon as it is there."""
    one = partial(_one, today=today, materiality=materiality, against=against, accepted=accepted)
    count = min(cores(), MOST_PROCESSES, len(paths) // FEW)
    if count < 2:
        yield from map(one, paths)
        return
    # One file alone need not wait for these.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # New processes that share nothing: the engine's threads do not survive a fork.
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        yield from pool.map(one, paths)


def _one(
    path: Path,
    today: datetime.date | None,
    materiality: float,
    against: Path | None,
    accepted: Sequence[Acceptance],
) -> Review:
    """The review of a file; one that stops at a fault of ours says so and stops no other."""
    try:
        return review(path, today, materiality, against, accepted)
    except ScalesheetError:
        raise
    except Exception as error:
        text = f"the review stopped at {type(error).__name__}: {error}: please report it"
        day = today or datetime.date.today()
        line = " ".join(text.split())
        return Review(str(path), "", 0, day, materiality, unreadable=line, reason="failed")


def cores() -> int:
    """The cores that this process may use.

    >>> cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
