"""Pictures of the built templates for the documents: ``python tests/previews.py``."""

import tempfile
from pathlib import Path

import openpyxl

from rendering import to_pdf, to_png

TEMPLATES = Path(__file__).parents[1] / "workbook_templates"
FOLDER = TEMPLATES / "preview"
DPI = 100
SHEETS = {
    "training_run_budget": ("Cover", "Inputs", "Efficiency", "Calc", "Fabrics", "Checks"),
    "cluster_proposal": (
        *("Cover", "Inputs", "Scenarios", "OwnVsRent", "Sensitivity", "Curve", "Risk", "Checks"),
    ),
    "scaling_study": ("Cover", "Points", "Curve"),
}
"""The sheets that are shown; each is one page, in the order of the workbook."""


def preview(template: str, sheet: str) -> Path:
    """The picture of a sheet."""
    return FOLDER / f"{template}_{sheet.lower()}.png"


def rendered(template: str, folder: Path) -> dict[str, Path]:
    """A picture of every sheet of a shipped workbook, by its title; each is one page."""
    source = TEMPLATES / f"{template}.xlsx"
    titles = openpyxl.load_workbook(source, read_only=True).sheetnames
    pictures = to_png(to_pdf(source, folder), folder, DPI)
    return dict(zip(titles, pictures, strict=True))


def main() -> None:
    """Write every picture anew."""
    FOLDER.mkdir(exist_ok=True)
    for template, shown in SHEETS.items():
        with tempfile.TemporaryDirectory() as place:
            pictures = rendered(template, Path(place))
            for sheet in shown:
                target = preview(template, sheet)
                target.write_bytes(pictures[sheet].read_bytes())
                print(target.name)


if __name__ == "__main__":
    main()
