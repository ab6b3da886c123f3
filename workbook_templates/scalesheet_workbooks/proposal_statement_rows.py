"""What finance asks of a proposal that is no figure: rows of the Statements sheet.

Facts are told scenario by scenario, statements once; a figure never depends on either.
"""

from dataclasses import dataclass

from scalesheet_workbooks.inputs import Pick
from scalesheet_workbooks.proposal_words import CONFIDENCES

FACT_LETTERS, LETTERS = 32, 110
"""The most letters of a fact and of a statement: what can be read on one printed line or two."""
OFFER_KINDS = Pick(
    "what the price rests on",
    ("contract", "quote", "list price", "estimate"),
    "lst_offer_kinds",
)
SURE = Pick("how sure the price is", CONFIDENCES, "lst_confidences")
TEXT, DAY = "text", "date"


@dataclass(frozen=True, slots=True)
class Statement:
    """A row of words: id, label, section, and what it takes: a text, a date or a pick."""

    id: str
    label: str
    section: str
    takes: str | Pick = TEXT

    @property
    def key(self) -> str:
        """Its key in a scenario file."""
        return self.id.removeprefix("in.")

    @property
    def unit(self) -> str:
        """What stands in the column of units."""
        return self.takes.unit if isinstance(self.takes, Pick) else self.takes


PURCHASED, CHOICE, LEAVING, BOOKS, CONTROL = (
    "What is bought, scenario by scenario",
    "Why this, and what else",
    "Commitment and exit",
    "Accounting, tax, currency, prices",
    "Version, recomputation, authority",
)

FACTS = (
    Statement("in.gpu", "GPU", PURCHASED),
    Statement("in.provider", "Provider or seller", PURCHASED),
    Statement("in.region", "Region", PURCHASED),
    Statement("in.price_kind", "Price of compute rests on", PURCHASED, OFFER_KINDS),
    Statement("in.price_sure", "How sure (Terms: the least)", PURCHASED, SURE),
)
"""Rows with a cell for each scenario."""

STATEMENTS = (
    Statement("in.why_chosen", "Why the scenario proposed", CHOICE),
    Statement("in.do_nothing", "What happens without it", CHOICE),
    Statement("in.smaller_run", "What a smaller run would give", CHOICE),
    Statement("in.true_up", "True-up of the commitment", LEAVING),
    Statement("in.exit_terms", "Ending early, and the data", LEAVING),
    Statement("in.depreciation_start", "Depreciation starts", BOOKS),
    Statement("in.lease_reason", "Why the lease is as flagged", BOOKS),
    Statement("in.hedged", "Hedge of foreign prices", BOOKS),
    Statement("in.tax_reason", "Sales and property tax", BOOKS),
    Statement("in.price_path", "Wages, power, refresh", BOOKS),
    Statement("in.version", "Version of the proposal", CONTROL),
    Statement("in.recomputed_by", "Formulas compared by", CONTROL),
    Statement("in.recomputed_on", "Recomputed on", CONTROL, DAY),
    Statement("in.recomputed_result", "Result of it", CONTROL),
    Statement("in.authority", "Who may approve how much", CONTROL),
)
"""Rows with one text for the whole workbook."""
STATEMENT_ROWS = (*FACTS, *STATEMENTS)
