"""The sentences of a proposal's Cover: formulas that put the figures into words."""

from scalesheet_workbooks.layout import ALERT
from scalesheet_workbooks.sheets.live import live_formula
from scalesheet_workbooks.sheets.proposal_context import ProposalContext as Context
from scalesheet_workbooks.templates.cluster_proposal_checks import CHECKS

NAME = "Cover"


def _when(condition: str, text: str) -> str:
    """A text where a condition holds."""
    return f'IF({condition},{text},"")'


class Words:
    """Texts of formulas, about the scenario that is shown."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._million = context.layout.cell("const.million", "", NAME)
        self._decimals = context.layout.cell("const.decimals", "", NAME)

    def _live(self, line_id: str) -> str:
        return live_formula(self._context, line_id, NAME)[1:]

    def _cell(self, line_id: str) -> str:
        return self._context.layout.cell(line_id, "", NAME)

    def _span(self, line_id: str) -> str:
        return self._context.layout.span(line_id, NAME)

    def _money(self, figure: str) -> str:
        """An amount in words: the currency and millions."""
        rounded = f"ROUND(({figure})/{self._million},{self._decimals})"
        return f'"{self._context.study.currency} "&{rounded}&" million"'

    def asked(self, approver: str, centre: str) -> str:
        """How much for what, and who is to approve it."""
        return (
            f'"Asked for: "&{self._money(self._live("cmp.total"))}&" for the scenario "&'
            f'{self._live("in.scenario")}&", cost centre "&IF(ISTEXT({centre}),{centre},'
            f'"to be named")&". To approve: "&IF(ISTEXT({approver}),{approver},"to be named")&"."'
        )

    def reserve(self, draws: str) -> str:
        """Contingency within it, and who has it."""
        return (
            f'"Of it "&{self._money(self._live("cmp.contingency"))}&" is contingency, for what '
            f'is named below; "&IF(ISTEXT({draws}),{draws},"nobody yet")&" may draw on it."'
        )

    def covers(self) -> str:
        """The percentile up to which the request with contingency covers the cost before it."""
        covered, total, high = map(self._live, ("risk.covered", "cmp.total", "risk.p80"))
        lowest, highest = (self._cell(f"first.pct.{name}") for name in ("step", "last_level"))
        shown, more = f"ISNUMBER({covered})", f"N({high})-{total}"
        place = f"N({covered})"
        parts = (
            _when(f"NOT({shown})", '"No percentiles: ranges missing, or inputs changed since"'),
            _when(shown, '"With contingency the request covers the cost before it up to "'),
            _when(f"AND({place}>{lowest},{place}<{highest})", '"about "'),
            _when(f"AND({shown},{place}<={lowest})", '"less than "'),
            _when(f"AND({shown},{place}>={highest})", '"more than "'),
            _when(shown, f'"P"&ROUND({place},0)&"; P80 is "&{self._money(f"ABS({more})")}'),
            _when(f"AND({shown},{more}>=0)", '" more"'),
            _when(f"AND({shown},{more}<0)", '" less"'),
            self._bad(),
            '"."',
        )
        return "&".join(parts)

    def _bad(self) -> str:
        bad = self._live("risk.all_bad")
        return _when(
            f"ISNUMBER({bad})", f'"; all drivers bad at once: "&{self._money(f"N({bad})")}'
        )

    def choice(self) -> str:
        """What the cheapest scenario has over the one proposed."""
        totals, total = self._span("cmp.total"), self._live("cmp.total")
        place = f"MATCH(MIN({totals}),{totals},0)"
        days = f"INDEX({self._span('cmp.days')},{place})-{self._live('cmp.days')}"
        theirs, ours = f"INDEX({self._span('risk.p80')},{place})", self._live("risk.p80")
        more = f"N({theirs})-N({ours})"
        other, both = f"{total}>MIN({totals})", f"COUNT({theirs},{ours})>1"
        parts = (
            _when(f"NOT({other})", '"No scenario is cheaper."'),
            _when(
                other,
                f'INDEX({self._span("in.scenario")},{place})&" is the cheapest: "&'
                f'{self._money(f"{total}-MIN({totals})")}&" less; done "&'
                f'ABS(ROUND({days},0))&" days "',
            ),
            _when(f"AND({other},{days}>=0)", '"later"'),
            _when(f"AND({other},{days}<0)", '"sooner"'),
            _when(f"AND({other},{both})", f'"; its P80 is "&{self._money(f"ABS({more})")}'),
            _when(f"AND({other},{both},{more}>=0)", '" higher, before contingency"'),
            _when(f"AND({other},{both},{more}<0)", '" lower, before contingency"'),
            _when(other, '"."'),
        )
        return "&".join(parts)

    def reason(self) -> str:
        """Why this scenario, as the user says."""
        said = self._context.layout.cell("first.in.why_chosen", "", NAME)
        return f'"Why this scenario: "&IF(ISTEXT({said}),{said},"not said yet, see Statements")'

    def cash(self) -> str:
        """Cash, its last month, and the outlay against its own budget."""
        cash, capex = self._live("cmp.cash"), self._live("cmp.capex")
        allowed = f"N({self._live('cmp.capex_budget')})"
        month = f"N({self._live('cmp.programme_months')})+N({self._live('cmp.payment_months')})"
        outlay = (
            f'{self._money(capex)}&" of it is capital outlay, against a capital budget of "&'
            f"{self._money(allowed)}"
        )
        return (
            f'"Cash out is "&{self._money(cash)}&", the last of it in month "&({month})&"; "&'
            f'IF({capex}>0,{outlay},"no capital outlay")&"."'
        )

    def budget(self) -> str:
        """The approved budget against the total."""
        left = self._live("cmp.headroom")
        return (
            f'"The approved budget "&IF({left}>=0,"holds, with ","is exceeded by ")&'
            f'{self._money(f"ABS({left})")}&IF({left}>=0," left","")&"; "&'
            'IF(chk_master=0,"arithmetic and inputs pass",chk_master&" checks fail")&"."'
        )

    def alerts(self) -> str:
        """The alerts that are raised, by name, with a semicolon before all but the first."""
        layout, parts, before = self._context.layout, [], ""
        first = next(check.id for check in CHECKS if check.kind == ALERT)
        for check in CHECKS:
            if check.kind == ALERT:
                result, label = (layout.cell(check.id, letter, NAME) for letter in "HC")
                comma = f'LEFT(";",MIN(1,SUM({before})))&' if before else ""
                parts.append(f'IF({result}=1,{comma}" "&{label},"")')
                row = result.rpartition("!")[2]
                before = f"{layout.cell(first, 'H', NAME)}:{row}"
        parts.append(_when(f"{layout.cell('chk.alerts_raised', '', NAME)}=0", '" none"'))
        return f'"Alerts, over all scenarios:"&{"&".join(parts)}&"."'
