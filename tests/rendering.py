"""Pictures of workbooks: xlsx to PDF through LibreOffice, PDF to PNG through poppler.

Look at a workbook with ``python tests/rendering.py FILE.xlsx -o FOLDER [--paper Letter]``.
"""

import argparse
import atexit
import functools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

Paper = Literal["A4", "Letter"]
PAPER_SIZES: dict[Paper, int] = {"A4": 9, "Letter": 1}

FILTERS = {"pdf": "pdf:calc_pdf_Export", "xlsx": "xlsx:Calc MS Excel 2007 XML"}
CONVERT_SECONDS = 300

# OOXMLRecalcMode 0 is "always": otherwise LibreOffice shows the values stored in the file.
# The locale is fixed because it decides number formats, list separators and text to number.
PROFILE = """\
<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>en-US</value></prop></item>
</oor:items>
"""


class ToolMissing(RuntimeError):
    """A program that the tests need is not installed."""


def tool(name: str, package: str) -> str:
    """The path of a program, or an error that says how to get it."""
    found = shutil.which(name)
    if found is None:
        raise ToolMissing(f"{name} is not on the PATH: on Debian, apt-get install {package}")
    return found


def run(command: Sequence[str], seconds: float = 60, folder: Path | None = None) -> str:
    """The standard output of a program; an error with both its outputs if it fails."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        start_new_session=True,
    ) as process:
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            # The whole group: soffice is a starter whose child would live on and hold the pipes.
            os.killpg(process.pid, signal.SIGKILL)
            raise
    if process.returncode != 0:
        raise RuntimeError(
            f"{' '.join(command)} ended with {process.returncode}\n{output}\n{errors}"
        )
    return output


@functools.cache
def libreoffice_profile() -> Path:
    """One throwaway LibreOffice profile for the life of this process."""
    profile = Path(tempfile.mkdtemp(prefix="libreoffice-profile-"))
    atexit.register(shutil.rmtree, profile, ignore_errors=True)
    (profile / "user").mkdir()
    (profile / "user" / "registrymodifications.xcu").write_text(PROFILE, encoding="utf-8")
    return profile


def convert(source: Path, folder: Path, kind: Literal["pdf", "xlsx"]) -> Path:
    """A file that LibreOffice recalculated and saved in another form."""
    result = folder / f"{source.stem}.{kind}"
    if result.resolve() == source.resolve():
        raise ValueError(f"{source} would be overwritten: give another folder")
    result.unlink(missing_ok=True)
    command = [
        tool("soffice", "libreoffice-calc"),
        f"-env:UserInstallation={libreoffice_profile().as_uri()}",
        "--headless",
        "--norestore",
        "--nolockcheck",
        "--convert-to",
        FILTERS[kind],
        "--outdir",
        os.fspath(folder),
        os.fspath(source),
    ]
    output = run(command, CONVERT_SECONDS)
    # LibreOffice ends with 0 even when it could not read the file.
    if not result.is_file():
        raise RuntimeError(f"LibreOffice made no {kind} from {source}: {output.strip()}")
    return result


def _with_paper_size(sheet: str, size: int) -> str:
    """A worksheet's XML with another paper size."""
    attribute = f'paperSize="{size}"'
    if re.search(r"<pageSetup\b[^>]*\bpaperSize=", sheet):
        return re.sub(r'(<pageSetup\b[^>]*)\bpaperSize="\d+"', rf"\1{attribute}", sheet)
    if "<pageSetup" in sheet:
        return re.sub(r"<pageSetup\b", f"<pageSetup {attribute}", sheet)
    changed, found = re.subn(r"(<pageMargins\b[^>]*/>)", rf"\1<pageSetup {attribute}/>", sheet)
    if not found:
        raise ValueError("the sheet has neither pageSetup nor pageMargins: write page margins")
    return changed


def copy_with_paper(xlsx: Path, copy: Path, paper: Paper) -> Path:
    """A copy of a workbook for another paper; all other parts keep their bytes."""
    with zipfile.ZipFile(xlsx) as source, zipfile.ZipFile(copy, "w") as target:
        for entry in source.infolist():
            data = source.read(entry)
            if re.fullmatch(r"xl/worksheets/[^/]+\.xml", entry.filename):
                data = _with_paper_size(data.decode("utf-8"), PAPER_SIZES[paper]).encode("utf-8")
            target.writestr(entry, data)
    return copy


def to_pdf(xlsx: Path, folder: Path, paper: Paper | None = None) -> Path:
    """The workbook as LibreOffice prints it, on its own paper size or on another."""
    folder.mkdir(parents=True, exist_ok=True)
    if paper is None:
        return convert(xlsx, folder, "pdf")
    with tempfile.TemporaryDirectory() as scratch:
        return convert(copy_with_paper(xlsx, Path(scratch) / xlsx.name, paper), folder, "pdf")


def _pdf_facts(pdf: Path, page: int = 1) -> dict[str, str]:
    """What pdfinfo says of a PDF and of one of its pages."""
    number = str(page)
    output = run([tool("pdfinfo", "poppler-utils"), "-f", number, "-l", number, os.fspath(pdf)])
    facts = (line.partition(":") for line in output.splitlines())
    return {" ".join(key.split()): value.strip() for key, _, value in facts}


def pages(pdf: Path) -> int:
    """How many pages a PDF has."""
    return int(_pdf_facts(pdf)["Pages"])


def page_size(pdf: Path, page: int = 1) -> tuple[float, float]:
    """Width and height of one page in points."""
    width, height = re.findall(r"[\d.]+", _pdf_facts(pdf, page)[f"Page {page} size"])[:2]
    return float(width), float(height)


def to_png(pdf: Path, folder: Path, dpi: int = 80) -> list[Path]:
    """One picture a page, in page order."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / pdf.stem

    def pictures() -> list[Path]:
        return sorted(p for p in folder.glob("*.png") if re.fullmatch(numbered, p.name))

    numbered = rf"{re.escape(pdf.stem)}-\d+\.png"
    for stale in pictures():
        stale.unlink()
    program = tool("pdftoppm", "poppler-utils")
    run([program, "-png", "-r", str(dpi), os.fspath(pdf), os.fspath(stem)])
    return pictures()


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the paths of the pictures of one workbook."""
    parser = argparse.ArgumentParser(description="Render a workbook as one PNG a page.")
    parser.add_argument("xlsx", type=Path, metavar="FILE.xlsx")
    parser.add_argument("-o", dest="folder", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--paper", choices=list(PAPER_SIZES), help="default: the file's own")
    parser.add_argument("--dpi", type=int, default=80)
    options = parser.parse_args(arguments)
    pdf = to_pdf(options.xlsx, options.folder, options.paper)
    for picture in to_png(pdf, options.folder, options.dpi):
        print(picture)


if __name__ == "__main__":
    main()
