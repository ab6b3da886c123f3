"""The picture of Calc with the add-in that addin/README.md shows; needs Xvfb and ImageMagick.

Run ``python tests/screenshot.py``.
"""

import os
import subprocess
import tempfile
import time
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.views import Selection

from calc import in_profile_of, new_profile, own, program, user_folder
from rendering import run, tool
from scalesheet.surfaces.libreoffice import dotted
from scalesheet.surfaces.libreoffice.extension import build

PICTURE = Path(__file__).parents[1] / "addin" / "preview" / "libreoffice_calc.png"
DISPLAY, SIZE = ":97", "1240x680"
SHOWN = "C12"

# Nothing over the sheet that a first start shows: no tip, no news, no thanks.
QUIET = """\
<item oor:path="/org.openoffice.Office.Common/Misc">
<prop oor:name="ShowTipOfTheDay" oor:op="fuse"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Misc">
<prop oor:name="FirstRun" oor:op="fuse"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Setup/Product">
<prop oor:name="ooSetupLastVersion" oor:op="fuse"><value>99.9</value></prop></item>
<item oor:path="/org.openoffice.Setup/Product">
<prop oor:name="LastTimeDonateShown" oor:op="fuse"><value>9999999999</value></prop></item>
<item oor:path="/org.openoffice.Setup/Product">
<prop oor:name="LastTimeGetInvolvedShown" oor:op="fuse"><value>9999999999</value></prop></item>
<item oor:path="/org.openoffice.Office.UI.Sidebar/Content">
<prop oor:name="Expanded" oor:op="fuse"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Setup/Factories/\
org.openoffice.Setup:Factory['com.sun.star.sheet.SpreadsheetDocument']">
<prop oor:name="ooSetupFactoryWindowAttributes" oor:op="fuse"><value>0,0,1240,680;5;</value></prop>
</item>
"""

INPUTS = (
    ("GPUs", 64, "#,##0"),
    ("Ideal hours of the whole cluster", 120, "#,##0"),
    ("Price of a GPU-hour", 2.5, "0.00"),
    ("Scaling efficiency", 0.8, "0.0%"),
    ("Failed-run rework", 0.15, "0.0%"),
    ("Storage", 200, "#,##0"),
    ("Egress", 150, "#,##0"),
)
NETWORKS = ("NDR", "HDR", "RoCE100", "Eth25")
NODES = (2, 4, 8, 12, 16)


def main() -> None:
    """Take the picture."""
    with user_folder() as folder:
        xlsx, oxt = folder / "training run.xlsx", folder / "scalesheet.oxt"
        workbook().save(xlsx)
        oxt.write_bytes(build("0"))
        profile = quiet_profile(folder)
        own(xlsx)
        user = f"-env:UserInstallation={profile.as_uri()}"
        run([*in_profile_of(folder), program("unopkg"), "add", user, os.fspath(oxt)])
        picture(folder, [program("soffice"), user, "--norestore", "--nologo", os.fspath(xlsx)])


def quiet_profile(folder: Path) -> Path:
    """A profile that has been greeted."""
    profile = new_profile(folder)
    settings = profile / "user" / "registrymodifications.xcu"
    text = settings.read_text(encoding="utf-8").replace("</oor:items>", QUIET + "</oor:items>")
    settings.write_text(text, encoding="utf-8")
    return profile


def picture(folder: Path, command: list[str]) -> None:
    """What a virtual screen shows when the command has had time to draw."""
    PICTURE.parent.mkdir(exist_ok=True)
    screen = subprocess.Popen([tool("Xvfb", "xvfb"), DISPLAY, "-screen", "0", f"{SIZE}x24"])
    try:
        time.sleep(2)
        environment = [*in_profile_of(folder), f"DISPLAY={DISPLAY}", *command]
        with tempfile.TemporaryFile() as log:
            office = subprocess.Popen(environment, stdout=log, stderr=log)
            time.sleep(15)
            shot = [tool("import", "imagemagick"), "-display", DISPLAY, "-window", "root"]
            run([*shot, "-trim", "+repage", "+dither", "-colors", "128", os.fspath(PICTURE)])
            office.terminate()
            office.wait(30)
    finally:
        screen.terminate()
        screen.wait(30)


def workbook() -> Workbook:
    """A sheet of live formulas."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Training run"
    bold, yellow = Font(name="Calibri", sz=11, bold=True), PatternFill("solid", fgColor="FFF7D6")
    for column, width in zip("ABCDEFGH", (40, 14, 14, 14, 14, 14, 14, 14), strict=True):
        sheet.column_dimensions[column].width = width
    sheet["A1"], sheet["A1"].font = "What the run costs", bold
    for row, (label, value, form) in enumerate(INPUTS, 2):
        sheet[f"A{row}"], sheet[f"B{row}"] = label, value
        sheet[f"B{row}"].number_format, sheet[f"B{row}"].fill = form, yellow
    sheet["A9"], sheet["A9"].font = "Total cost", bold
    sheet["B9"] = f"={dotted('TRAIN_COST')}(B2,B3,B4,B5,B6,B7,B8)"
    sheet["B9"].number_format, sheet["B9"].font = "#,##0.00", bold
    sheet["A11"], sheet["A11"].font = "Scaling efficiency by nodes and network", bold
    for column, network in zip("BCDE", NETWORKS, strict=True):
        sheet[f"{column}11"], sheet[f"{column}11"].font = network, bold
        sheet[f"{column}11"].alignment = Alignment(horizontal="right")
    for row, nodes in enumerate(NODES, 12):
        sheet[f"A{row}"] = nodes
        sheet[f"A{row}"].alignment = Alignment(horizontal="right")
        for column in "BCDE":
            cell = sheet[f"{column}{row}"]
            cell.value = f"={dotted('SCALING_EFF')}($A{row},{column}$11,50%)"
            cell.number_format = "0.0%"
    sheet.sheet_view.selection = [Selection(activeCell=SHOWN, sqref=SHOWN)]
    return book


if __name__ == "__main__":
    main()
