"""Pictures of the built templates for the documents: ``python tests/previews.py``."""

import tempfile
from pathlib import Path

from rendering import to_pdf, to_png

TEMPLATES = Path(__file__).parents[1] / "workbook_templates"
PAGES = {
    "training_run_budget": {
        1: "cover",
        2: "inputs",
        3: "efficiency",
        4: "calc",
        5: "fabrics",
        6: "checks",
    },
}


def main() -> None:
    folder = TEMPLATES / "preview"
    folder.mkdir(exist_ok=True)
    for template, pages in PAGES.items():
        with tempfile.TemporaryDirectory() as place:
            pdf = to_pdf(TEMPLATES / f"{template}.xlsx", Path(place))
            pictures = to_png(pdf, Path(place), dpi=100)
            for number, name in pages.items():
                target = folder / f"{template}_{name}.png"
                target.write_bytes(pictures[number - 1].read_bytes())
                print(target.name)


if __name__ == "__main__":
    main()
