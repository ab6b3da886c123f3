"""From a study to the bytes of a finished workbook.

openpyxl writes cells, styles, validations and charts; the engine computes every formula once; the
finisher puts the values in as cached ones and makes the bytes depend on the input alone.
"""

import datetime
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from openpyxl import Workbook
from openpyxl.packaging.custom import StringProperty
from openpyxl.workbook.properties import CalcProperties

from scalesheet.registry import REGISTRY
from scalesheet.surfaces.libreoffice import dotted
from scalesheet_workbooks.calculation import cached_values
from scalesheet_workbooks.finish import finish
from scalesheet_workbooks.inputs import INPUTS, Input
from scalesheet_workbooks.proposal_inputs import PROPOSAL_INPUTS
from scalesheet_workbooks.proposal_statement_rows import STATEMENT_ROWS
from scalesheet_workbooks.study import Study
from scalesheet_workbooks.templates import (
    cluster_proposal,
    function_check,
    scaling_study,
    training_run_budget,
)

EPOCH = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
"""The time written into a file whose study names no date: a build must not depend on the clock."""


@dataclass(frozen=True)
class Template:
    """A workbook that can be built: its title, one line on what it is for, and how."""

    title: str
    summary: str
    version: str
    uses_scenarios: bool
    write: Callable[[Workbook, Study], None]
    inputs: tuple[Input, ...] = ()
    """The inputs that it shows."""
    shows_ranges: bool = False


TEMPLATES: Mapping[str, Template] = {
    "training_run_budget": Template(
        training_run_budget.TITLE,
        "Up to 8 scenarios of one training run: time, GPU-hours, cost build-up, alerts, checks",
        training_run_budget.VERSION,
        True,
        training_run_budget.write,
        INPUTS,
    ),
    "cluster_proposal": Template(
        cluster_proposal.TITLE,
        "The full proposal that finance signs: rent, reserved, spot, own; by month, risk, checks",
        cluster_proposal.VERSION,
        True,
        cluster_proposal.write,
        PROPOSAL_INPUTS,
        shows_ranges=True,
    ),
    "scaling_study": Template(
        scaling_study.TITLE,
        "Benchmark points to efficiency, band, cost and marginal value by nodes; charts",
        scaling_study.VERSION,
        False,
        scaling_study.write,
    ),
    "function_check": Template(
        function_check.TITLE,
        "Does every LAMBDA name work in your spreadsheet program? A call, a value, a verdict",
        function_check.VERSION,
        False,
        function_check.write_native,
    ),
    "function_check_addin": Template(
        function_check.TITLE,
        "The same for the add-in: plain calls that an installed add-in answers",
        function_check.VERSION,
        False,
        function_check.write_plain,
    ),
    "function_check_libreoffice": Template(
        function_check.TITLE,
        "The same for the add-in of LibreOffice Calc, by names that version 7.4 finds in a file",
        function_check.VERSION,
        False,
        function_check.write_libreoffice,
    ),
}


def build(name: str, study: Study | None = None) -> bytes:
    """The finished workbook of a template; without a study, that of the shipped scenarios."""
    from scalesheet_workbooks.scenarios import SHIPPED, shipped

    template = TEMPLATES[name]
    study = study or shipped(name if template.uses_scenarios else SHIPPED)
    return finished(name, template, study)


def finished(name: str, template: Template, study: Study) -> bytes:
    """What a template writes for a study, calculated and with the bytes that are shipped."""
    book = Workbook()
    book.remove(book.active)
    template.write(book, study)
    moment = (
        datetime.datetime.combine(study.as_of, datetime.time(), datetime.UTC)
        if study.as_of and template.uses_scenarios
        else EPOCH
    )
    _properties(book, name, template, study)
    saved = io.BytesIO()
    book.save(saved)
    values = cached_values(saved.getvalue(), book=book)
    calls = [*REGISTRY, *map(dotted, REGISTRY)]
    return finish(saved.getvalue(), values, moment, calls)


def ignored(name: str, study: Study) -> tuple[str, ...]:
    """What a study gives and a template does not show: the keys of a scenario file, in order.

    >>> from scalesheet_workbooks.scenarios import shipped
    >>> ignored("training_run_budget", shipped())
    ()
    >>> ignored("training_run_budget", shipped("cluster_proposal"))[:3]
    ('acquisition', 'start', 'programme_months')
    """
    shown = {entry.id for entry in TEMPLATES[name].inputs}
    shown |= {entry.id for entry in STATEMENT_ROWS if TEMPLATES[name].shows_ranges}
    ids = dict.fromkeys(key for scenario in study.scenarios for key in scenario.values)
    return tuple(key.removeprefix("in.") for key in ids if key not in shown | BY_READER)


BY_READER = frozenset(
    {
        *("in.work_basis", "in.price_basis", "in.instance_hour_price", "in.gpus_per_instance"),
        *("in.parameters", "in.tokens", "in.peak_flops_per_second", "in.mfu"),
    }
)
"""Inputs that a template which does not show them takes in another form: as hours, as a price."""


def _properties(book: Workbook, name: str, template: Template, study: Study) -> None:
    book.properties.title = study.title[:200] if template.uses_scenarios else template.title
    book.properties.creator = study.owner[:200] or "scalesheet"
    book.custom_doc_props.append(StringProperty(name="scalesheet.template", value=name))
    book.custom_doc_props.append(StringProperty(name="scalesheet.version", value=template.version))
    book.calculation = CalcProperties(fullCalcOnLoad=True, calcMode="auto", iterate=False)
    book.active = 0
