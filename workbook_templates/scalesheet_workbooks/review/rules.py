"""The table of finding ids: what each is called, which rule it speaks for, and what to do.

One table for the code, the reports and the documentation; ids are never given to another rule.
"""

from dataclasses import dataclass

from scalesheet.catalog import STALE_DAYS

HIGH, MEDIUM, LOW, INFO = "high", "medium", "low", "info"
SEVERITIES = (HIGH, MEDIUM, LOW, INFO)
STRUCTURE, INPUTS, RESULT = "Structure", "Inputs", "Result"
BANDS = (STRUCTURE, INPUTS, RESULT)
_BAND = {"S": STRUCTURE, "I": INPUTS, "R": RESULT}


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding; ``severity`` is what it has where money does not decide."""

    id: str
    title: str
    severity: str
    rule: str
    remedy: str

    @property
    def band(self) -> str:
        """Structure, Inputs or Result."""
        return _BAND[self.id[0]]


# ruff: noqa: E501
_ROWS = (
    # Structure: what the template says against what came back.
    ("S101", "Formula typed over", MEDIUM, "A calculated cell holds the template's formula",
     "put the template's formula back"),
    ("S102", "Formula changed", MEDIUM, "A calculated cell holds the template's formula",
     "put the template's formula back, or say in the proposal why it differs"),
    ("S103", "Formula emptied", MEDIUM, "A calculated cell holds the template's formula",
     "put the template's formula back"),
    ("S104", "Formula with a broken reference", HIGH, "Every reference leads to a cell",
     "put the template's formula back"),
    ("S105", "Not a valid formula", HIGH, "Every formula can be calculated",
     "type a plain number, or a formula over cells"),
    ("S106", "Row of the template is missing", HIGH, "Every row of the template is there, by its id",
     "copy the row from a fresh template"),
    ("S107", "Added cells count into a total", MEDIUM, "Only rows of the template feed totals",
     "take them out, or put the amount into an input row"),
    ("S108", "Circular formula", HIGH, "No formula refers to itself", "break the circle"),
    ("S110", "Constant changed", MEDIUM, "Constants and lists are those of the template",
     "put the template's value back"),
    ("S111", "Tolerance of a check changed", HIGH, "Checks keep their tolerance",
     "put the template's tolerance back"),
    ("S112", "Limit of an input changed", HIGH, "Inputs keep the template's limits",
     "put the template's limit back"),
    ("S113", "Label, unit or id changed", LOW, "Labels, units and ids are those of the template",
     "put the template's text back"),
    ("S114", "Unit or currency changed", HIGH, "A workbook has one currency and the template's units",
     "put the unit back, or convert the numbers and say at which rate"),
    ("S120", "Name points elsewhere", HIGH, "Names point where the template has them point",
     "point the name back (Formulas, Name Manager)"),
    ("S121", "Names are lost", INFO, "Names point where the template has them point",
     "nothing to do: no total needs them"),
    ("S130", "Hidden cells feed a total", LOW, "Nothing that feeds a total is hidden",
     "show the sheet, row or column"),
    ("S131", "Hidden cells", INFO, "Nothing is hidden", "show them, so that readers see all"),
    ("S140", "Link to another file", LOW, "A budget needs no other file",
     "paste the value and name its source"),
    ("S141", "Macros, queries or embedded files", LOW, "A budget needs no code",
     "save it as .xlsx without them; they were listed, not run"),
    ("S142", "Formula that changes by itself", MEDIUM, "The same inputs give the same totals",
     "replace TODAY, NOW, RAND, OFFSET or INDIRECT by a value or a plain reference"),
    ("S143", "Path of an add-in in a formula", LOW, "No formula depends on one computer",
     "type the function's name without the path"),
    ("S150", "Validation changed", LOW, "Input cells refuse what the template refuses",
     "put the validation back; its rule was applied here all the same"),
    ("S151", "Validations are lost", INFO, "Input cells refuse what the template refuses",
     "nothing to do: their rules were applied here all the same"),
    ("S152", "Protection is off", INFO, "Sheets are protected, without a password",
     "protect the sheet again; its formulas were compared here"),
    ("S153", "Formula cell unlocked", LOW, "Only inputs are unlocked", "lock the cell"),
    ("S154", "Input cell locked", INFO, "Inputs are unlocked", "unlock the cell"),
    ("S160", "Added sheet", INFO, "Sheets are those of the template",
     "nothing to do: no total needs it"),
    ("S161", "Added rows or columns", INFO, "Rows and columns are those of the template",
     "nothing to do: no total needs them"),
    ("S162", "Sheet renamed", INFO, "Sheets keep their names", "give the sheet its name back"),
    ("S163", "Sheet of the template is missing", HIGH, "Every sheet of the template is there",
     "start from a fresh template"),
    ("S164", "Template version differs", LOW, "The file is of the version that is installed",
     "compare with care, or have it filled in again on the present version"),
    ("S165", "Rows or columns moved", INFO, "Rows and columns are those of the template",
     "nothing to do: they were compared where they stand now"),
    ("S170", "Calculation is manual or iterates", MEDIUM, "The workbook calculates by itself, once",
     "set calculation to automatic, without iteration"),
    ("S171", "Dates count from 1904", LOW, "Dates count from 1900",
     "check every date: the file counts days from 1904"),
    ("S190", "No template of ours", INFO, "The file was built by scalesheet",
     "only the general checks were made"),
    # Inputs: what was filled in.
    ("I201", "Input outside its limits", HIGH, "Inputs lie within the registry's limits",
     "correct the input"),
    ("I202", "Number stored as text", HIGH, "Numbers are numbers",
     "type the number again, without currency sign, unit or apostrophe"),
    ("I203", "Input is missing", HIGH, "Every input that the picked method needs is filled",
     "fill in the cell"),
    ("I204", "Input outside its usual band", LOW, "Unusual inputs are explained",
     "confirm it, or correct it"),
    ("I205", "Choice that is not in the list", HIGH, "Choices are those of the list",
     "pick one from the list"),
    ("I206", "Input is a formula", LOW, "Inputs are typed values with a source",
     "type the value, and name where it is from"),
    ("I207", "Input in error", HIGH, "Inputs hold values", "correct the input"),
    ("I210", "Efficiency is the floor", MEDIUM, "An efficiency is measured or modelled",
     "the floor is an assumption: ask for a pilot at two sizes"),
    ("I211", "Efficiency above what was measured", MEDIUM,
     "No efficiency exceeds what published runs of that size have kept",
     "ask for the measurement behind it"),
    ("I212", "Pilot looks like per-GPU figures", MEDIUM, "A pilot's throughputs are totals of the run",
     "enter the throughput of the whole run"),
    ("I220", "Price off the dated range", MEDIUM, "Prices lie within the catalog's dated range",
     "ask for the quote, with its date and term"),
    ("I221", "Price looks like that of an instance", HIGH, "The price is that of one GPU for one hour",
     "divide it by the GPUs of the instance"),
    ("I230", "Rework below what failures alone cost", LOW,
     "Rework covers the failures that a run of this size has had",
     "ask how failures are paid for"),
    ("I231", "Rework far above the failure model", LOW,
     "Rework is of the size that failures of this run cost", "ask what the reserve is for"),
    ("I232", "Same risk may be covered three times", LOW,
     "Failures, rework and contingency do not pay for the same thing",
     "say on the Cover that contingency keeps to other risks, or take one out"),
    ("I240", "Owner, source or date is missing", MEDIUM, "Every input that weighs has an owner and a source",
     "fill them in"),
    ("I241", "Date is stale or lies in the future", MEDIUM, f"Sources are not older than {STALE_DAYS} days",
     "ask for a figure of today"),
    ("I242", "Approval is incomplete", MEDIUM, "An approval has a name, a date and a decision",
     "have it completed by who decides"),
    ("I243", "Log has no new row", MEDIUM, "A changed file says in its log what changed and why",
     "add a row to the log"),
    ("I250", "Example values are left", LOW, "A proposal holds no values of the example",
     "replace them, or take the scenario out"),
    ("I251", "Scenarios have the same name", LOW, "Each scenario has a name of its own",
     "rename one of them"),
    ("I252", "Scenario has no name", LOW, "Each scenario has a name of its own", "name it"),
    # Result: what comes out.
    ("R301", "Stored value is out of date", HIGH, "What the file shows is what its formulas give",
     "open it, let it calculate, save it again"),
    ("R302", "No stored values", INFO, "What the file shows is what its formulas give",
     "nothing to do: every formula was calculated here"),
    ("R303", "Core and formulas disagree", HIGH, "Formulas give what the Python core gives",
     "report it: this is a fault of scalesheet"),
    ("R304", "Total differs from the template's", HIGH,
     "The file's formulas give what the template gives for the same inputs",
     "compare with a fresh template"),
    ("R305", "Total is undetermined", HIGH, "Every scenario has a total", "mend what it depends on"),
    ("R306", "Functions that the saving program did not know", INFO,
     "Every function of the check gives its value",
     "nothing to do here: install the add-in, or use a program that knows LAMBDA"),
    ("R307", "Figures of the core were changed", HIGH,
     "What the core wrote is what it gives for the inputs of the file",
     "build the workbook anew from the inputs"),
    ("R310", "Check fails", HIGH, "Errors and completeness checks of the file pass",
     "mend what the check names"),
    ("R311", "Alert raised", INFO, "The file's alerts are seen", "see that it is meant"),
    ("R320", "Formula in error", MEDIUM, "No formula gives an error", "mend what it depends on"),
    ("R321", "Total that does not add up", MEDIUM, "A total is the sum of what stands above it",
     "replace the typed total by a formula"),
    ("R322", "Formula refers to empty cells", LOW, "Formulas refer to cells that hold something",
     "check the reference"),
    ("R323", "Formula not calculated here", LOW, "What the file shows is what its formulas give",
     "put a plain formula or a value there: only the program that stored it knows the function"),
    # Result: what it means for who decides.
    ("R330", "Committed GPU-hours are not used", MEDIUM, "Committed GPU-hours are paid, used or not",
     "commit less, or name the work that uses them"),
    ("R331", "Use goes beyond the commitment", LOW, "Hours beyond the commitment have their own price",
     "commit more, or confirm the price and that the hours can be had"),
    ("R332", "The work outlasts the commitment", LOW, "The commitment lasts as long as the work",
     "say at which price the work goes on when the term is over"),
    ("R333", "Total above the approved budget", MEDIUM, "The total stays within the approved budget",
     "ask for more budget, or change the proposal"),
    ("R334", "Cash above the approved budgets", MEDIUM,
     "Cash out stays within the budget and the capital budget together",
     "ask for more budget: what is bought is paid at once and charged over years"),
    ("R335", "Capital outlay above its budget", MEDIUM,
     "What is bought stays within the approved capital budget",
     "ask for more capital budget, or rent"),
    ("R336", "Programme and useful life differ", LOW,
     "What is bought is written off within the programme, or somebody takes it over",
     "say who uses or buys the servers afterwards, and at what value"),
    ("R337", "Another scenario costs less", LOW, "What is proposed is the cheapest for the same work",
     "say why it is proposed all the same"),
    ("R338", "A small change flips the decision", LOW,
     "The decision holds when an input moves by a tenth",
     "make sure of that input before the decision"),
)  # fmt: skip

RULES = {row[0]: Rule(*row) for row in _ROWS}
