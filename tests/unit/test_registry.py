"""The registry at its border: messages, ranges, arguments by name, and what may be a name."""

import datetime
import doctest
import inspect
import math
import re
from collections.abc import Callable

import pytest

import scalesheet
from scalesheet.domains import Quantity, Table, Text
from scalesheet.errors import CellError, MissingValue, ScalesheetError, ShapeMismatch
from scalesheet.published import Published
from scalesheet.registry import CATEGORIES, REGISTRY, SOURCES, Function, argument_names
from scalesheet.surfaces.cells import answer

# --- Messages: read them in tests/golden/messages.txt ---------------------------------------------

NAMES = {
    **vars(scalesheet),
    "NA": CellError("#N/A"),
    "DIV0": CellError("#DIV/0!"),
    "nan": math.nan,
    "inf": math.inf,
    "date": datetime.date,
}

MESSAGES = {
    "nothing there": """
scaling_eff(None, "NDR", 0.5)
scaling_eff("", "NDR", 0.5)
scaling_eff("   ", "NDR", 0.5)
scaling_eff(4, None, 0.5)
scaling_eff(4, "NDR", None)
train_cost(64, 120, 2.5, 0.8, 0.15, None, 150)
scaling_eff()
scaling_eff(4)
scaling_eff(4, "NDR")
scaling_eff(4, interconnect="NDR")
egress_cost(10, None, 0.1)
egress_cost(10, [], [])
egress_cost(10, [None, ""], [0.1, 0.2])
""",
    "too much, or by a name that is none": """
scaling_eff(4, "NDR", 0.5, 1)
scaling_eff(4, "NDR", floor=0.5)
scaling_eff(4, "NDR", 0.5, nodes=4)
""",
    "not a number": """
scaling_eff("four", "NDR", 0.5)
scaling_eff("4", "NDR", 0.5)
scaling_eff("4.5", "NDR", 0.5)
scaling_eff(True, "NDR", 0.5)
scaling_eff(date(2026, 3, 4), "NDR", 0.5)
scaling_eff("4\\nnodes", "NDR", 0.5)
wall_clock_hours(120, "80%")
wall_clock_hours(120, " 80 % ")
wall_clock_hours(120, "0.8")
wall_clock_hours(120, "80")
wall_clock_hours(120, "800%")
wall_clock_hours("1e3", 0.8)
wall_clock_hours("1,000", 0.8)
wall_clock_hours("1_000", 0.8)
wall_clock_hours("12%", 0.8)
wall_clock_hours("nan", 0.8)
wall_clock_hours(date(2026, 3, 4), 0.8)
compute_cost(64, 120, "$2.50", 0.8)
egress_cost(10, [100, "x"], [0.1, 0.2])
egress_cost(10, [[100], [True]], [0.1, 0.2])
""",
    "no finite number": """
scaling_eff(nan, "NDR", 0.5)
scaling_eff(inf, "NDR", 0.5)
wall_clock_hours(-inf, 0.8)
wall_clock_hours(10**400, 0.8)
""",
    "outside the limits": """
scaling_eff(0, "NDR", 0.5)
scaling_eff(-4, "NDR", 0.5)
scaling_eff(20000000, "NDR", 0.5)
scaling_eff(4, "NDR", 0)
scaling_eff(4, "NDR", -0.5)
scaling_eff(4, "NDR", 50)
wall_clock_hours(0, 0.8)
wall_clock_hours(-1, 0.8)
wall_clock_hours(2e12, 0.8)
wall_clock_hours(120, 0)
wall_clock_hours(120, 80)
wall_clock_hours(120, 1.6)
wall_clock_hours(120, 151)
compute_cost(64, 120, 0, 0.8)
compute_cost(64, 120, -2.5, 0.8)
rework_cost(64, 120, 2.5, 0.8, 15)
rework_cost(64, 120, 2.5, 0.8, -0.1)
train_cost(64, 120, 2.5, 0.8, 0.15, -200, 150)
peak_nodes(0)
peak_nodes(1)
peak_nodes(1.5)
peak_nodes(-0.07)
scaling_eff_power(8, 6)
scaling_eff_power(8, -1.1)
scaling_eff_comm(4, 0.5, 14, 0, 0.5)
scaling_eff_comm(4, 0.5, 14, 400, 50)
egress_cost(10, [100, -1], [0.1, 0.2])
egress_cost(-1, [100], [0.1])
""",
    "counts": """
scaling_eff(4.5, "NDR", 0.5)
scaling_eff(0.5, "NDR", 0.5)
scaling_eff(-2.5, "NDR", 0.5)
scaling_eff(63.99999999, "NDR", 0.5)
scaling_eff(63.9999999999, "NDR", 0.01)
scaling_eff(12345.5, "NDR", 0.5)
scaling_eff(20000000.5, "NDR", 0.5)
billed_gpus(12, 0.5)
""",
    "names": """
scaling_eff(4, "EFA", 0.5)
scaling_eff(4, "N*", 0.5)
scaling_eff(4, "NDR\\u00a0", 0.5)
scaling_eff(4, 400, 0.5)
scaling_eff(4, True, 0.5)
scaling_eff(4, date(2026, 3, 4), 0.5)
scaling_eff(4, "Spectrum-X, the fabric that came with the racks last year", 0.5)
scaling_eff(4, "  infiniband  ndr 400 gb/s", 0.5)
""",
    "cells in error": """
scaling_eff(NA, "NDR", 0.5)
scaling_eff(4, DIV0, 0.5)
scaling_eff(NA, DIV0, 0.5)
scaling_eff("four", NA, 0.5)
scaling_eff(None, "EFA", NA)
scaling_eff(0, NA, 0.5)
egress_cost(10, [100, NA], [0.1, 0.2])
""",
    "which is said first: kinds before limits, limits before rules": """
scaling_eff(0, "EFA", 0.5)
scaling_eff(0, "NDR", "80%")
scaling_eff(0, "NDR", 80)
scaling_exponent(4, 100, 4, 0)
""",
    "rules across arguments": """
scaling_exponent(4, 100, 4, 300)
scaling_exponent(4, 100, 4.0000000001, 300)
egress_cost(4, [5, 5], [0.1, 0.2])
egress_cost(4, [10, 5], [0.1, 0.2])
egress_cost(10, [5, 6], [0.1, 0.2])
egress_cost(10, [5, 100], [0.1])
""",
    "rules of bills, workload and ownership": """
commitment_utilization(0, 5)
used_gpu_hour_cost(100, 0, 2, 3)
model_flops_utilization(70e9, 60000, 1, 989e12)
model_flops_utilization(70e9, 10, 64, 989e12)
hours_no_checkpoint(500, 20)
owned_gpu_hour(46883, 50000, 4, 0.1, 1.275, 1.56, 0.13, 1500)
owned_gpu_hour(46883, 4688.3, 4, 10, 1.275, 1.56, 0.13, 1500)
owned_gpu_hour(46883, 4688.3, 4, 0.1, 1.275, 0.9, 0.13, 1500)
rework_from_waste(1)
failure_waste(100, 0.1, 0, 0.1)
spot_mtbf(100, 4, 0)
spot_mtbf(100, 4, None)
work_gpu_hours(70e9, 15e12, 989e12, 40)
""",
    "the catalog": """
gpu_price("H100", "AWS", "on-demand", date(2026, 9, 30))
gpu_price("H100", "AWS", "on-demand", 46295)
gpu_price("h100", " aws ", "On-Demand", "2026-09-30")
gpu_price("H100", "AWS", "on-demand", "30/09/2026")
gpu_price("H100", "AWS", "on-demand", True)
gpu_price("H100", "AWS", "on-demand", 0)
gpu_price("H100", "AWS", "on-demand", None)
gpu_price("H100", "AWS", "on-demand", 1e300)
gpu_price("H100", "AWS", "on-demand", date(2020, 1, 1))
gpu_price("H1000", "AWS", "on-demand", date(2026, 9, 30))
gpu_price("H100", "Amazn", "on-demand", date(2026, 9, 30))
gpu_price("H100", "AWS", "spot", date(2026, 9, 30))
gpu_price(100, "AWS", "on-demand", date(2026, 9, 30))
gpu_price(None, "AWS", "on-demand", date(2026, 9, 30))
gpu_price(NA, "AWS", "on-demand", date(2026, 9, 30))
gpu_price("H100", "AWS", "on-demand", DIV0)
gpu_purchase_price("H100", date(2026, 9, 30))
gpu_purchase_price("L4", date(2026, 9, 30))
gpu_purchase_price("H100", date(2021, 9, 30))
gpu_spec("H100", "memory_gb")
gpu_spec("H100", "memory")
gpu_spec("A10G", "watts")
gpu_fit(70, 8192, 0, 50, 10, 20)
""",
    "measured scaling": """
scaling_eff_published(16, "A100 HDR")
scaling_eff_published(16, "Ethernet 10 K80")
scaling_eff_published(16, "NDR")
scaling_predict(8, "other", [1, 2, 4], [100, 196, 380])
scaling_predict(8, "other", [1, 2, None], [100, 196, 380])
scaling_predict(8, "other", [1, 2], [100, 196, 380])
scaling_predict(8, "other", [None, None], [None, None])
scaling_predict(8, "other", [1, 2.5], [100, 196])
scaling_predict(8, "other", [1, 2], [100, 0])
scaling_predict(8, "other", [1, 2], [100, "x"])
scaling_predict(8, "Infiniband", [1], [100])
scaling_note(8, "other", [2], [100])
scaling_note(4, "other", [1, 2, 4], [122, 110, 80])
critical_batch(0.5, 64, 8)
critical_batch(9, 64, 8)
""",
    "risk": """
train_cost_risk(80, 64, [1, 2, 3], [1, 2, 3], [0.7, 0.8, 0.9], [0, 0.1, 0.2], 0, 0)
train_cost_risk(0.8, 64, [1, 2], [1, 2, 3], [0.7, 0.8, 0.9], [0, 0.1, 0.2], 0, 0)
train_cost_risk(0.8, 64, [1, 2, None, 3], [1, 2, 3], [0.7, 0.8, 0.9], [0, 0.1, 0.2], 0, 0)
train_cost_risk(0.8, 64, 2, [1, 2, 3], [0.7, 0.8, 0.9], [0, 0.1, 0.2], 0, 0)
train_cost_risk(0.8, 64, [1, 3, 2], [1, 2, 3], [0.7, 0.8, 0.9], [0, 0.1, 0.2], 0, 0)
train_cost_risk(0.8, 64, [1, 2, 3], [3, 2, 3], [0.7, 0.8, 0.9], [0, 0.1, 0.2], 0, 0)
train_cost_risk(0.8, 64, [1, 2, 3], [1, 2, 3], [0.9, 0.8, 0.7], [0, 0.1, 0.2], 0, 0)
train_cost_risk(0.8, 64, [1, 2, 3], [1, 2, 3], [0.7, 0.8, 0.9], [0.2, 0.1, 0], 0, 0)
train_cost_risk(0.8, 64, [1, 2, 3], [1, 2, 3], [0.7, 0.8, 80], [0, 0.1, 0.2], 0, 0)
""",
    "no finite result": """
measured_eff(1, 1, 1, 5e-324)
measured_eff(1, 1, 10000000, 5e-324)
scaling_exponent(1, 1e15, 4, 1e-310)
floor_nodes(5e-324, 0.5)
peak_nodes(5e-324)
gpus_for_deadline(1e12, 5e-324, 0.5)
loss_from_gbps(5e-324)
""",
    "ranges": """
scaling_eff([[4], ["x"]], "NDR", 0.5)
scaling_eff([[4, 8], [16, 0]], "NDR", 0.5)
scaling_eff([4, 8], ["NDR", NA], 0.5)
scaling_eff([1, 2, 3], ["NDR", "HDR"], 0.5)
scaling_eff([[1], [2], [3]], [["NDR"], ["HDR"]], 0.5)
scaling_eff([[1, 2], [3, 4]], ["NDR", "HDR", "Eth25"], 0.5)
scaling_eff([[1, 2], [3]], "NDR", 0.5)
scaling_eff([], "NDR", 0.5)
loss_per_node([])
loss_per_node([[]])
scaling_eff([[[4]]], "NDR", 0.5)
""",
}


def said(call: str) -> str:
    """What a call says in a cell: its value, or the error that shows and the message."""
    try:
        return f"= {eval(call, dict(NAMES))}"
    except ScalesheetError as error:
        return f"{error.cell_error} {error}"


def test_messages(golden: Callable[[str, str], None]) -> None:
    lines = []
    for title, calls in MESSAGES.items():
        lines += ["", f"# {title}"]
        lines += [f"{call} -> {said(call)}" for call in calls.strip().splitlines()]
    golden("messages.txt", "\n".join(lines[1:]) + "\n")


def test_messages_are_one_line_in_words() -> None:
    for call in "".join(MESSAGES.values()).split("\n"):
        if call and not (text := said(call)).startswith("="):
            code, _, message = text.partition(" ")
            assert code in ("#VALUE!", "#NUM!", "#N/A", "#DIV/0!")
            assert message.splitlines() == [message]
            assert 10 < len(message) <= 255, message
            assert not re.search(r"<|>|Error|\bobject at\b|not None", message), message


def test_every_message_is_asked_for() -> None:
    """Each rule across arguments, and each argument's name, is said in some message."""
    lines = [said(call) for calls in MESSAGES.values() for call in calls.strip().splitlines()]
    rules = [rule for record in REGISTRY.values() for rule in record.rules]
    assert rules
    for rule in rules:
        assert any(line.endswith(str(rule.__doc__)) for line in lines)
        assert set(inspect.signature(rule).parameters) == set(argument_names(rule))


# --- Ranges --------------------------------------------------------------------------------------

NA, NUM, VALUE = CellError("#N/A"), CellError("#NUM!"), CellError("#VALUE!")
RANGES = (
    # nodes, interconnect, floor, result
    ([1, 4], "NDR", 0.5, [[1.0, 0.955]]),
    ((1, 4), "NDR", 0.5, [[1.0, 0.955]]),
    ([[1], [4]], "NDR", 0.5, [[1.0], [0.955]]),
    ([[1, 4], [4, 1]], "NDR", 0.5, [[1.0, 0.955], [0.955, 1.0]]),
    (4, ["NDR", "Eth25"], 0.5, [[0.955, 0.79]]),
    ([[1], [4]], [["NDR"], ["Eth25"]], 0.5, [[1.0], [0.79]]),
    ([[1], [4]], ["NDR", "Eth25"], 0.5, [[1.0, 1.0], [0.955, 0.79]]),
    ([1, 4], [["NDR"], ["Eth25"]], 0.5, [[1.0, 0.955], [1.0, 0.79]]),
    ([[4]], [["NDR"]], [[0.5]], [[0.955]]),
    ([4], "NDR", 0.5, [[0.955]]),
    ([[64], [4]], "NDR", [[0.5], [0.6]], [[0.5], [0.955]]),
    ([4, None, "x", 0, NA], "NDR", 0.5, [[0.955, VALUE, VALUE, NUM, NA]]),
    ([[4], [4]], ["NDR", "EFA"], 0.5, [[0.955, VALUE], [0.955, VALUE]]),
    ([1, 2, 3], ["NDR", "HDR"], 0.5, VALUE),
    ([[1], [2], [3]], [["NDR"], ["HDR"]], 0.5, VALUE),
    ([[1, 2], [3]], "NDR", 0.5, VALUE),
    ([], "NDR", 0.5, VALUE),
    ([[]], [[]], [[]], VALUE),
)


@pytest.mark.parametrize(("nodes", "interconnect", "floor", "wanted"), RANGES)
def test_ranges(nodes: object, interconnect: object, floor: object, wanted: object) -> None:
    assert answer(REGISTRY["SCALING_EFF"], [nodes, interconnect, floor]) == wanted
    cells = [cell for row in wanted for cell in row] if isinstance(wanted, list) else [wanted]
    if any(isinstance(cell, CellError) for cell in cells):
        with pytest.raises(ScalesheetError):
            scalesheet.scaling_eff(nodes, interconnect, floor)
    else:
        assert scalesheet.scaling_eff(nodes, interconnect, floor) == wanted


@pytest.mark.parametrize(
    ("nodes", "place"),
    [([[4], [0]], "row 2, column 1"), ([4, 4, "x"], "row 1, column 3"), ([[4, NA]], "column 2")],
)
def test_the_first_element_in_error_is_named_with_its_place(nodes: object, place: str) -> None:
    with pytest.raises(ScalesheetError, match=f"{place}: nodes "):
        scalesheet.scaling_eff(nodes, "NDR", 0.5)


def test_answers_explain_every_error() -> None:
    said: list[str] = []
    assert answer(REGISTRY["SCALING_EFF"], [[4, 0, "x"], "NDR", 0.5], said.append) == [
        [0.955, NUM, VALUE]
    ]
    assert [message.split(" must be ")[0] for message in said] == ["nodes", "nodes"]
    assert answer(REGISTRY["SCALING_EFF"], [4, "NDR"], said.append) == VALUE
    assert said[-1].startswith("efficiency_floor missing: type SCALING_EFF(")


def test_a_table_does_not_fit_into_a_grid() -> None:
    arguments = ([64, 32], 120, 2.5, 0.8, 0.15, 200, 150)
    assert answer(REGISTRY["TRAIN_COST_LINES"], arguments) == VALUE


VECTORS = (
    # limits, prices, cost of 150 GB
    ([100, 200], [0.2, 0.1], 25.0),
    ((100, 200), (0.2, 0.1), 25.0),
    ([[100], [200]], [0.2, 0.1], 25.0),
    ([100, None, 200], [0.2, None, 0.1], 25.0),
    ([100, "", 200], [0.2, 9, 0.1], 25.0),
    ([100, 150, 200], [0.2, "  ", 0.1], 25.0),
    ([100, 200, None], [0.2, 0.1, None], 25.0),
    (200, 0.1, 15.0),
    ([100, 200], [0, 0.1], 5.0),
)


@pytest.mark.parametrize(("limits", "prices", "cost"), VECTORS)
def test_pairs_with_a_blank_are_skipped(limits: object, prices: object, cost: float) -> None:
    assert scalesheet.egress_cost(150, limits, prices) == pytest.approx(cost, rel=1e-15)


def test_ranges_as_a_whole_beside_a_range_of_amounts() -> None:
    costs = scalesheet.egress_cost([[50], [150]], [100, 200], [0.2, 0.1])
    assert costs == [[10.0], [25.0]]


def test_lengths_that_differ() -> None:
    with pytest.raises(ShapeMismatch, match="ranges of 2 and 3 cells must be of one length"):
        scalesheet.egress_cost(10, [100, None], [0.1, 0.2, 0.3])


# --- Arguments by name ---------------------------------------------------------------------------


def test_arguments_by_name_in_any_order() -> None:
    by_name = scalesheet.scaling_eff(efficiency_floor=0.5, nodes=[1, 4], interconnect="NDR")
    assert by_name == scalesheet.scaling_eff([1, 4], interconnect="NDR", efficiency_floor=0.5)
    assert by_name == [[1.0, 0.955]]


@pytest.mark.parametrize(
    "arguments", [{"nodes": 4}, {"floor": 0.5}, {"efficiency_floor": 1, "x": 1}]
)
def test_arguments_by_a_wrong_name(arguments: dict[str, float]) -> None:
    with pytest.raises(MissingValue, match=r"type SCALING_EFF\(nodes, interconnect, effi"):
        scalesheet.scaling_eff(4, "NDR", **arguments)


# --- What is published ---------------------------------------------------------------------------


def test_what_is_published_is_what_is_registered() -> None:
    published = {
        name: value
        for name, value in vars(scalesheet).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert sorted(name.upper() for name in published) == sorted(REGISTRY)
    for name, function in published.items():
        assert isinstance(function, Published)
        assert function.record is REGISTRY[name.upper()]
        assert inspect.signature(function) == inspect.signature(function.record.body)


@pytest.mark.parametrize("record", REGISTRY.values(), ids=list(REGISTRY))
def test_records_are_complete(record: Function) -> None:
    assert 20 <= len(record.summary) <= 255
    assert record.summary.endswith(".")
    assert record.summary[0].isupper()
    assert record.source in SOURCES.values()
    assert record.category in CATEGORIES
    assert isinstance(record.result, Quantity | Text | Table)
    assert record.result.unit
    assert record.parameters
    assert all(parameter.domain.words and parameter.domain.unit for parameter in record.parameters)
    examples = doctest.DocTestParser().get_examples(record.body.__doc__ or "")
    assert any(f"{record.body.__name__}(" in example.source for example in examples)
    signature = inspect.signature(record.body)
    assert tuple(signature.parameters) == tuple(parameter.name for parameter in record.parameters)
    assert all(p.default is p.empty for p in signature.parameters.values())


# --- Names ---------------------------------------------------------------------------------------

EXCEL_FUNCTIONS = """
ABS ACCRINT ACCRINTM ACOS ACOSH ACOT ACOTH ADDRESS AGGREGATE AMORDEGRC AMORLINC AND ARABIC AREAS
ARRAYTOTEXT ASC ASIN ASINH ATAN ATAN2 ATANH AVEDEV AVERAGE AVERAGEA AVERAGEIF AVERAGEIFS BAHTTEXT
BASE BESSELI BESSELJ BESSELK BESSELY BETADIST BETAINV BIN2DEC BIN2HEX BIN2OCT BINOMDIST BITAND
BITLSHIFT BITOR BITRSHIFT BITXOR BYCOL BYROW CALL CEILING CELL CHAR CHIDIST CHIINV CHITEST CHOOSE
CHOOSECOLS CHOOSEROWS CLEAN CODE COLUMN COLUMNS COMBIN COMBINA COMPLEX CONCAT CONCATENATE
CONFIDENCE CONVERT COPILOT CORREL COS COSH COT COTH COUNT COUNTA COUNTBLANK COUNTIF COUNTIFS
COUPDAYBS COUPDAYS COUPDAYSNC COUPNCD COUPNUM COUPPCD COVAR CRITBINOM CSC CSCH CUBEKPIMEMBER
CUBEMEMBER CUBEMEMBERPROPERTY CUBERANKEDMEMBER CUBESET CUBESETCOUNT CUBEVALUE CUMIPMT CUMPRINC
DATE DATEDIF DATEVALUE DAVERAGE DAY DAYS DAYS360 DB DBCS DCOUNT DCOUNTA DDB DEC2BIN DEC2HEX
DEC2OCT DECIMAL DEGREES DELTA DETECTLANGUAGE DEVSQ DGET DISC DMAX DMIN DOLLAR DOLLARDE DOLLARFR
DPRODUCT DROP DSTDEV DSTDEVP DSUM DURATION DVAR DVARP EDATE EFFECT ENCODEURL EOMONTH ERF ERFC
EUROCONVERT EVEN EXACT EXP EXPAND EXPONDIST FACT FACTDOUBLE FALSE FDIST FIELDVALUE FILTER
FILTERXML FIND FINDB FINV FISHER FISHERINV FIXED FLOOR FORECAST FORMULATEXT FREQUENCY FTEST FV
FVSCHEDULE GAMMA GAMMADIST GAMMAINV GAMMALN GAUSS GCD GEOMEAN GESTEP GETPIVOTDATA GROUPBY GROWTH
HARMEAN HEX2BIN HEX2DEC HEX2OCT HLOOKUP HOUR HSTACK HYPERLINK HYPGEOMDIST IF IFERROR IFNA IFS
IMABS IMAGE IMAGINARY IMARGUMENT IMCONJUGATE IMCOS IMCOSH IMCOT IMCSC IMCSCH IMDIV IMEXP IMLN
IMLOG10 IMLOG2 IMPORTCSV IMPORTTEXT IMPOWER IMPRODUCT IMREAL IMSEC IMSECH IMSIN IMSINH IMSQRT
IMSUB IMSUM IMTAN INDEX INDIRECT INFO INT INTERCEPT INTRATE IPMT IRR ISBLANK ISERR ISERROR ISEVEN
ISFORMULA ISLOGICAL ISNA ISNONTEXT ISNUMBER ISODD ISOMITTED ISOWEEKNUM ISPMT ISREF ISTEXT JIS KURT
LAMBDA LARGE LCM LEFT LEFTB LEN LENB LET LINEST LN LOG LOG10 LOGEST LOGINV LOGNORMDIST LOOKUP
LOWER MAKEARRAY MAP MATCH MAX MAXA MAXIFS MDETERM MDURATION MEDIAN MID MIDB MIN MINA MINIFS MINUTE
MINVERSE MIRR MMULT MOD MODE MONTH MROUND MULTINOMIAL MUNIT N NA NEGBINOMDIST NETWORKDAYS NOMINAL
NORMDIST NORMINV NORMSDIST NORMSINV NOT NOW NPER NPV NUMBERVALUE OCT2BIN OCT2DEC OCT2HEX ODD
ODDFPRICE ODDFYIELD ODDLPRICE ODDLYIELD OFFSET OR PDURATION PEARSON PERCENTILE PERCENTOF
PERCENTRANK PERMUT PERMUTATIONA PHI PHONETIC PI PIVOTBY PMT POISSON POWER PPMT PRICE PRICEDISC
PRICEMAT PROB PRODUCT PROPER PV PY QUARTILE QUOTIENT RADIANS RAND RANDARRAY RANDBETWEEN RANK RATE
RECEIVED REDUCE REGEXEXTRACT REGEXREPLACE REGEXTEST REPLACE REPLACEB REPT RIGHT RIGHTB ROMAN ROUND
ROUNDDOWN ROUNDUP ROW ROWS RRI RSQ RTD SCAN SEARCH SEARCHB SEC SECH SECOND SEQUENCE SERIESSUM
SHEET SHEETS SIGN SIN SINH SKEW SLN SLOPE SMALL SORT SORTBY SQRT SQRTPI STANDARDIZE STDEV STDEVA
STDEVP STDEVPA STEYX STOCKHISTORY SUBSTITUTE SUBTOTAL SUM SUMIF SUMIFS SUMPRODUCT SUMSQ SUMX2MY2
SUMX2PY2 SUMXMY2 SWITCH SYD T TAKE TAN TANH TBILLEQ TBILLPRICE TBILLYIELD TDIST TEXT TEXTAFTER
TEXTBEFORE TEXTJOIN TEXTSPLIT TIME TIMEVALUE TINV TOCOL TODAY TOROW TRANSLATE TRANSPOSE TREND TRIM
TRIMMEAN TRIMRANGE TRUE TRUNC TTEST TYPE UNICHAR UNICODE UNIQUE UPPER USDOLLAR VALUE VALUETOTEXT
VAR VARA VARP VARPA VDB VLOOKUP VSTACK WEBSERVICE WEEKDAY WEEKNUM WEIBULL WORKDAY WRAPCOLS
WRAPROWS XIRR XLOOKUP XMATCH XNPV XOR YEAR YEARFRAC YIELD YIELDDISC YIELDMAT ZTEST
"""
EXCEL_4_MACRO_FUNCTIONS = """
ABSREF ACTIVATE ALERT APPEND ARGUMENT ARGUMENTS BEEP BORDER BREAK CALCULATE CALLER CANCEL CHART
CLEAR CLOSE COMBINATION COPY CREATE CUT DELETE DEREF DIRECTORY DIRECTORIES DISPLAY DOCUMENTS
DUPLICATE ECHO ELSE EDIT ENABLE END ERROR EVALUATE EXEC EXECUTE FCLOSE FILES FOPEN FOR FORMAT
FORMULA FPOS FREAD FREEZE FSIZE FULL FWRITE GOTO GRIDLINES GROUP HALT HELP HIDE INITIATE INPUT
INSERT LAST LEGEND LINE LINKS MAIN MERGE MESSAGE MOVE NAMES NEW NEXT NOTE OPEN OPTIONS OUTLINE
OVERLAY PARSE PASTE PATTERNS PAUSE PIE POKE PRECISION PRINT PROTECT QUIT RADAR REFTEXT REGISTER
RELREF REQUEST RESTART RESULT RESUME RETURN RUN SAVE SCALE SCATTER SELECT SELECTION SELECTIONS
SEND SET SHOW SIZE SPELLING SPLIT STEP STYLE SUMMARY TERMINATE TEXTREF UNDO UNHIDE UNLOCKED
UNREGISTER VIEW VOLATILE WAIT WHILE WINDOW WINDOWS WORKBOOK WORKGROUP WORKSPACE ZOOM
"""
VBA_WORDS = """
ADDRESSOF AND ANY APPEND AS ATTRIBUTE BASE BINARY BOOLEAN BYREF BYTE BYVAL CALL CASE CDATE CDBL
CDEC CINT CLASS CLNG CLOSE COMPARE CONST CSNG CSTR CURRENCY CVAR DATE DECIMAL DECLARE DEFBOOL
DEFBYTE DEFDATE DEFDBL DEFINT DEFLNG DEFOBJ DEFSTR DEFVAR DIM DO DOUBLE EACH ELSE ELSEIF EMPTY END
ENUM EQV ERASE ERROR EVENT EXIT EXPLICIT FALSE FIX FOR FRIEND FUNCTION GET GLOBAL GOSUB GOTO IF
IMP IMPLEMENTS IN INPUT INTEGER IS LBOUND LEN LET LIB LIKE LINE LOCK LONG LONGLONG LONGPTR LOOP
LSET ME MOD MODULE MYBASE NAME NEW NEXT NOT NOTHING NULL OBJECT ON OPEN OPTION OPTIONAL OR OUTPUT
PARAMARRAY PRESERVE PRINT PRIVATE PROPERTY PTRSAFE PUBLIC PUT RAISEEVENT RANDOM RANDOMIZE READ
REDIM REM RESET RESUME RETURN RSET SEEK SELECT SET SHARED SINGLE SPC STATIC STEP STOP STRING
STRUCTURE SUB TAB THEN TIME TO TRUE TYPE TYPEOF UBOUND UNLOCK UNTIL VARIANT VARTYPE WEND WHILE
WIDTH WITH WITHEVENTS WRITE XOR
"""
JAVASCRIPT_WORDS = """
abstract alert all any arguments as async await boolean break byte case catch char class close
closed confirm console const constructor continue customFunctions debugger default delete do
document double else enum error eval event excel export extends false fetch final finally find
float focus for from frames function get goto history if implements import in infinity instanceof
int interface isFinite isNaN length let location long name namespace nan native navigator new null
number object of office open opener origin package parent performance print private prompt
protected prototype public return screen scroll self set short static status stop string super
switch synchronized this throw throws top toString transient true try type typeof undefined
valueOf var void volatile while window with yield
"""
TAKEN = {
    "a function of Excel": frozenset(EXCEL_FUNCTIONS.split()),
    "an Excel 4 macro function": frozenset(EXCEL_4_MACRO_FUNCTIONS.split()),
    "a word of VBA": frozenset(VBA_WORDS.split()),
    "a word of JavaScript": frozenset(JAVASCRIPT_WORDS.upper().split()),
}
LAST_COLUMN, LAST_ROW = "XFD", 1_048_576


def reads_as_a_cell(name: str) -> bool:
    """Whether a name is a reference in A1 or in R1C1 style."""
    if found := re.fullmatch(r"([A-Z]{1,3})([0-9]+)", name.upper()):
        column, row = found.groups()
        in_sheet = len(column) < len(LAST_COLUMN) or column <= LAST_COLUMN
        if in_sheet and 1 <= int(row) <= LAST_ROW:
            return True
    return bool(re.fullmatch(r"R[0-9]*|C[0-9]*|R[0-9]*C[0-9]*", name.upper()))


def name_faults(name: str, functions: frozenset[str] = frozenset()) -> list[str]:
    """Why a name may not be a function or an argument; ``functions`` are those of ours."""
    faults = [taken for taken, words in TAKEN.items() if name.upper() in words]
    if reads_as_a_cell(name):
        faults.append("a cell reference")
    if not re.fullmatch(r"[A-Z][A-Z0-9_]*|[a-z][a-z0-9_]*", name):
        faults.append("not a plain name")
    if name.upper() in functions:
        faults.append("a function of ours")
    return faults


BAD_NAMES = {
    "H100": "a cell reference",
    "FP8": "a cell reference",
    "tp8": "a cell reference",
    "XFD1048576": "a cell reference",
    "r": "a cell reference",
    "C": "a cell reference",
    "R1C1": "a cell reference",
    "rc": "a cell reference",
    "currency": "a word of VBA",
    "date": "a word of VBA",
    "step": "a word of VBA",
    "floor": "a function of Excel",
    "PERCENTILE": "a function of Excel",
    "RATE": "a function of Excel",
    "RESULT": "an Excel 4 macro function",
    "evaluate": "an Excel 4 macro function",
    "GROUP": "an Excel 4 macro function",
    "window": "a word of JavaScript",
    "constructor": "a word of JavaScript",
    "isNaN": "a word of JavaScript",
    "gpu hours": "not a plain name",
    "gpu.hours": "not a plain name",
    "_x": "not a plain name",
    "8bit": "not a plain name",
    "gpu_hours": "a function of ours",
}
GOOD_NAMES = ("XFE1", "XFD1048577", "A0", "GPU_COST", "nodes", "gb", "rcx", "H100_PRICE", "B1A")


@pytest.mark.parametrize("name", BAD_NAMES)
def test_the_lint_sees_bad_names(name: str) -> None:
    assert BAD_NAMES[name] in name_faults(name, frozenset(REGISTRY))


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_the_lint_passes_good_names(name: str) -> None:
    assert name_faults(name, frozenset(REGISTRY)) == []


@pytest.mark.parametrize("record", REGISTRY.values(), ids=list(REGISTRY))
def test_names(record: Function) -> None:
    assert name_faults(record.name) == []
    names = [parameter.name for parameter in record.parameters]
    assert {name: name_faults(name, frozenset(REGISTRY)) for name in names} == {
        name: [] for name in names
    }
    assert len(set(names)) == len(names)
