"""The latest messages, for a user who sees an error in a cell and asks why."""

from scalesheet.surfaces.cells import Explain

KEPT = 20


class Messages:
    """Messages, newest first, each once."""

    def __init__(self) -> None:
        self._kept: list[str] = []

    def explain(self, function: str) -> Explain:
        """What keeps the messages of one function.

        >>> messages = Messages()
        >>> messages.explain("GPU_HOURS")("gpus is missing")
        >>> messages.latest()
        ['GPU_HOURS: gpus is missing']
        """
        return lambda message: self.add(f"{function}: {message}")

    def add(self, message: str) -> None:
        """Keep a message."""
        self._kept = [message, *(kept for kept in self._kept if kept != message)][:KEPT]

    def latest(self) -> list[str]:
        """The messages; one that says so when there are none."""
        return self._kept or ["no error so far"]


MESSAGES = Messages()
"""Of this process, which is Excel's own."""
