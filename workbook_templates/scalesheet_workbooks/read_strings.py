"""The shared texts of a workbook file, read as a stream: a tree would take ten times the memory."""

from scalesheet_workbooks.package_parts import Package, Unreadable, parse

MOST_TEXT = 32_767
"""Excel's longest text; what is longer is cut, so that no report has to hold it."""
MOST_STRINGS, MOST_LETTERS = 1_000_000, 30_000_000


class _Strings:
    """Takes the events of the part of texts: runs are joined, phonetic hints left out."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.parts: list[str] = []
        self.letters = 0
        self.taking = self.is_hint = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "si":
            self.parts = []
        elif tag == "rPh":
            self.is_hint = True
        elif tag == "t":
            self.taking = not self.is_hint

    def characters(self, text: str) -> None:
        if self.taking:
            self.parts.append(text)

    def end(self, tag: str) -> None:
        if tag == "t":
            self.taking = False
        elif tag == "rPh":
            self.is_hint = False
        elif tag == "si":
            text = "".join(self.parts)[: MOST_TEXT + 1]
            self.letters += len(text)
            self.found.append(text)
            if len(self.found) > MOST_STRINGS or self.letters > MOST_LETTERS:
                raise Unreadable(
                    "too_large",
                    f"it has more than {MOST_STRINGS:,} texts or {MOST_LETTERS:,} letters in them: "
                    "take out what is no budget",
                )


def read_strings(package: Package, part: str) -> list[str]:
    """The texts in a part of the package, in their order."""
    strings = _Strings()
    parse(package.chunks(part), part, strings.start, strings.end, strings.characters)
    return strings.found
