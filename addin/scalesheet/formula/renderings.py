"""A worksheet function as a LAMBDA, as a guarded cell formula, as the formula of a row."""

from collections.abc import Mapping
from functools import cache

from scalesheet.domains import WHOLE_TOLERANCE, Choice, Date, Name, Quantity, Vector
from scalesheet.formula.excel_text import STORED_PREFIXES, Spelling, number_text, render
from scalesheet.formula.expressions import Known, Untranslatable, expanded, nothing_known
from scalesheet.registry import REGISTRY, Function

# --- Guards --------------------------------------------------------------------------------------


def guarded(record: Function, spelling: Spelling) -> str:
    """A function's formula behind its guards, over the symbols of its parameters.

    An argument in error is passed on as it is; a wrong kind gives #VALUE!, a number outside its
    limits or a broken rule #NUM!: the order in which Python checks.
    """
    kinds, limits, symbols = [], [], dict(spelling.symbols)
    for parameter in record.parameters:
        symbol = spelling.symbols[parameter.name]
        match parameter.domain:
            case Choice() as choice:
                known = ",".join(f'"{text}"' for text in choice.spellings)
                kinds.append(f"OR(LOWER(TRIM({symbol}))={{{known}}})")
            case Quantity() as quantity:
                kinds.append(f"ISNUMBER({symbol})")
                if quantity.whole:
                    symbols[parameter.name] = f"ROUND({symbol},0)"
                limits += _limits(symbol, symbols[parameter.name], quantity)
            case Vector() | Name() | Date():
                raise Untranslatable(f"{record.name} takes {parameter.domain.words}")
    inside = Spelling(symbols, spelling.constants, spelling.tables, spelling.functions)
    limits += [render(expanded(rule), inside) for rule in record.rules]
    body = render(expanded(record.body), inside)
    if limits:
        body = f"IF(AND({','.join(limits)}),{body},#NUM!)"
    text = f"IF(AND({','.join(kinds)}),{body},#VALUE!)"
    for parameter in reversed(record.parameters):
        symbol = spelling.symbols[parameter.name]
        text = f"IF(ISERROR({symbol}),{symbol},{text})"
    return text


def _limits(symbol: str, snapped: str, quantity: Quantity) -> list[str]:
    above, below = (">" if quantity.low_open else ">="), ("<" if quantity.high_open else "<=")
    limits = [
        f"{snapped}{above}{number_text(quantity.low)}",
        f"{snapped}{below}{number_text(quantity.high)}",
    ]
    if quantity.whole:
        limits.insert(0, f"ABS({symbol}-{snapped})<={number_text(WHOLE_TOLERANCE)}")
    return limits


# --- The three renderings ------------------------------------------------------------------------


def guarded_text(record: Function, references: Mapping[str, str]) -> str:
    """One plain cell formula with guards, its arguments being cell references."""
    return guarded(record, Spelling(references, functions=STORED_PREFIXES))


def row_text(record: Function, spelling: Spelling, known: Known = nothing_known) -> str:
    """The unguarded formula of a workbook row; ``known`` names the rows of other functions.

    >>> cells = {"nodes": "B2", "gpus_per_node": "B3", "efficiency": "B4"}
    >>> row_text(REGISTRY["GPUS_LOST"], Spelling(cells))
    'B2*B3*(1-B4)'
    """
    return render(expanded(record.body, known), spelling)


@cache
def lambda_text(record: Function, *, stored: bool) -> str:
    """The LAMBDA of a function: as a file stores it, or as a user types it.

    A cell in range arguments is picked for each place of the common shape, so that a single value
    is repeated and a row against a column gives the grid. INDEX is for arrays only: one engine
    refuses it on a single value. MAX and MIN in the body are safe since the body only ever sees
    single values.
    """
    prefix = "_xlpm." if stored else ""
    functions = STORED_PREFIXES if stored else {}
    call = {name: functions.get(name, name) for name in STORED_PREFIXES}
    names = [prefix + parameter.name for parameter in record.parameters]
    symbols = {parameter.name: prefix + parameter.name for parameter in record.parameters}
    one = guarded(record, Spelling(symbols, functions=functions))
    kernel, pick, array, height, width, i, j = (
        prefix + name for name in ("kernel", "pick", "array", "height", "width", "i", "j")
    )
    listed = ",".join(names)
    picked = ",".join(f"{pick}({name},{i},{j})" for name in names)
    first = ",".join(f"{pick}({name},1,1)" for name in names)
    fits = ",".join(
        f"OR(ROWS({name})=1,ROWS({name})={height}),OR(COLUMNS({name})=1,COLUMNS({name})={width})"
        for name in names
    )
    return (
        f"{call['LAMBDA']}({listed},{call['LET']}("
        f"{kernel},{call['LAMBDA']}({listed},{one}),"
        f"{pick},{call['LAMBDA']}({array},{i},{j},IF(TYPE({array})=64,"
        f"INDEX({array},MIN({i},ROWS({array})),MIN({j},COLUMNS({array}))),{array})),"
        f"{height},MAX({','.join(f'ROWS({name})' for name in names)}),"
        f"{width},MAX({','.join(f'COLUMNS({name})' for name in names)}),"
        f"IF({height}*{width}=1,{kernel}({first}),"
        f"IF(AND({fits}),{call['MAKEARRAY']}({height},{width},"
        f"{call['LAMBDA']}({i},{j},{kernel}({picked}))),#VALUE!))))"
    )


def translatable() -> list[Function]:
    """The functions that have a form as a cell formula, in the order of the registry."""
    return [record for record in REGISTRY.values() if is_translatable(record)]


def is_translatable(record: Function) -> bool:
    """Whether a function has a form as a cell formula."""
    try:
        lambda_text(record, stored=True)
    except Untranslatable:
        return False
    return True
