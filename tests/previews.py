"""Pictures of the built templates for the documents: ``python tests/previews.py``."""

import tempfile
from pathlib import Path

import openpyxl

from rendering import to_pdf, to_png

TEMPLATES = Path(__file__).parents[1] / "workbook_templates"
SHEETS = {
    "training_run_budget": ("Cover", "Inputs", "Efficiency", "Calc", "Fabrics", "Checks"),
    "cluster_proposal": ("Cover", "Inputs", "Scenarios", "OwnVsRent", "Sensitivity", "Checks"),
    "scaling_study": ("Cover", "Points", "Curve"),
}
"""The sheets that are shown; each is one page, in the order of the workbook."""


def main() -> None:
    folder = TEMPLATES / "preview"
    folder.mkdir(exist_ok=True)
    for template, shown in SHEETS.items():
        source = TEMPLATES / f"{template}.xlsx"
        order = openpyxl.load_workbook(source, read_only=True).sheetnames
        with tempfile.TemporaryDirectory() as place:
            pictures = to_png(to_pdf(source, Path(place)), Path(place), dpi=100)
            assert len(pictures) == len(order)
            for name in shown:
                target = folder / f"{template}_{name.lower()}.png"
                target.write_bytes(pictures[order.index(name)].read_bytes())
                print(target.name)


if __name__ == "__main__":
    main()
