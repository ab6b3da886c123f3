"""The checks of a scaling study: its arithmetic, what is missing, what is worth a look."""

from collections.abc import Mapping

from scalesheet.catalog import STALE_DAYS
from scalesheet_workbooks.layout import ALERT, COMPLETENESS, ERROR
from scalesheet_workbooks.scaling_inputs import NUMBER_INPUTS, SOURCES
from scalesheet_workbooks.sheets.study_fabrics import FABRIC_IDS
from scalesheet_workbooks.sheets.study_table import Places
from scalesheet_workbooks.spec import Check

TINY = 1e-9
WHOLE = "0"
RESIDUAL = "[fit.y]-[fit.level]+[fit.exponent]*[fit.x]"


def _alert(name: str, label: str, left: str) -> Check:
    return Check(f"chk.{name}", label, ALERT, left, "0", number_format=WHOLE)


def _complete(name: str, label: str, left: str, right: str) -> Check:
    return Check(f"chk.{name}", label, COMPLETENESS, left, right, number_format=WHOLE)


CHECKS = (
    Check(
        "chk.residuals",
        "What the power fit leaves adds up to nothing",
        ERROR,
        f"SUMPRODUCT([fit.used],{RESIDUAL})",
        "0",
        TINY,
        "0.000",
    ),
    Check(
        "chk.least_squares",
        "What it leaves does not go with the number of nodes",
        ERROR,
        f"[fit.several]*SUMPRODUCT([fit.used],[fit.x],{RESIDUAL})",
        "0",
        TINY,
        "0.000",
    ),
    Check(
        "chk.pilot",
        "The pilot's exponent gives back its measured efficiency",
        ERROR,
        "[fit.several]*N([pln.pilot_efficiency])",
        "[fit.several]/([fit.most]/[fit.least])^N([pln.pilot_exponent])",
        TINY,
        "0.0%",
    ),
    Check(
        "chk.one_node",
        "One node is 100 %",
        ERROR,
        "[cur.first_efficiency]",
        "[const.full_efficiency]",
        TINY,
        "0.0%",
    ),
    Check(
        "chk.band",
        "Every forecast lies in its band",
        ERROR,
        "SUMPRODUCT(([fct.low]<=[fct.throughput])*([fct.throughput]<=[fct.high]))",
        "ROWS([fct.low])",
        number_format=WHOLE,
    ),
    Check(
        "chk.cost",
        "Cost of the work times efficiency is that of one node at every size",
        ERROR,
        "IF(COUNT([val.cost])=0,1,"
        "SUMPRODUCT([val.cost],[val.efficiency])/COUNT([val.cost])/[val.first_cost])",
        "1",
        TINY,
        "0.000",
    ),
    Check(
        "chk.steps",
        "The steps add up to the throughput of the largest size shown",
        ERROR,
        "[dat.one]*(1+SUMPRODUCT([val.added],[val.later])-SUMPRODUCT([val.added],[val.earlier]))"
        "/INDEX([val.throughput],COUNT([val.nodes]))",
        "1",
        TINY,
        "0.000",
    ),
    Check(
        "chk.fabrics",
        "The floor is shown from FLOOR_NODES on, the model before it",
        ERROR,
        "SUM([fab.grid])",
        "SUMPRODUCT(([fab.nodes]>=[fab.floor_nodes])*[in.fabric_floor]"
        "+([fab.nodes]<[fab.floor_nodes])*(1-[fab.losses]*([fab.nodes]-1)))",
        TINY,
    ),
    _complete("measured", "A measurement is given", "1*([fit.count]>0)", "1"),
    _complete(
        "exponent",
        "Two sizes were measured, or one and its class is picked",
        "COUNT([fit.exponent])",
        "1",
    ),
    _complete(
        "whole_rows",
        "Points are given with nodes and throughput, as numbers",
        "COUNTA([in.nodes])+COUNTA([in.throughput])",
        "SUM([fit.used])+SUM([fit.used])",
    ),
    _complete(
        "filled",
        "Inputs that every study needs are filled with numbers",
        "COUNT(" + ",".join(f"[{input_id}]" for input_id in NUMBER_INPUTS) + ")",
        "[const.required]",
    ),
    _complete(
        "picked",
        "Class and unit of work are picked from their lists",
        "SUMPRODUCT(1*(lst_fabric_classes=[in.fabric_class]))"
        "+SUMPRODUCT(1*(lst_work_units=[in.work_unit]))",
        "1+1",
    ),
    _complete(
        "in_range",
        "Inputs and points within their limits, nodes whole",
        'COUNTIF([in.marks],"✓")+COUNTIF([in.point_marks],"✓")',
        "COUNTA([in.marks])+COUNTA([in.point_marks])",
    ),
    _alert("stale", "The core's figures are of other points than the present", "1-[core.valid]"),
    _alert(
        "old",
        f"Measurements of no known day, or older than {STALE_DAYS} days",
        "1-ISNUMBER([in.measured_on])*ISNUMBER([in.as_of])"
        "*([in.as_of]-[in.measured_on]<=[const.stale_days])",
    ),
    _alert("one_size", "One size only: no loss was measured", "1-[fit.several]"),
    _alert("no_single", "One node was not measured", "1*([fit.least]>1)"),
    _alert("per_gpu", "Sizes whose throughput looks like a figure per GPU", "SUM([siz.per_gpu])"),
    _alert(
        "super_linear",
        "Sizes that are better per node than the smallest",
        'COUNTIF([siz.kept],">"&[const.super_linear])',
    ),
    _alert("falls", "Sizes with less throughput than the one before", "SUM([siz.falls])"),
    _alert(
        "off",
        "Sizes far off the power fit",
        'COUNTIF([siz.off],">"&[const.off])+COUNTIF([siz.off],"<"&-[const.off])',
    ),
    _alert("bend", "It bends: the last doubling lost much more than those before", "[pln.bends]"),
    _alert(
        "far",
        "The planned size is far from every measured one",
        "1*(N([siz.planned_reach])>[const.far])",
    ),
    _alert(
        "mixed_nodes",
        "Points of nodes with another number of GPUs",
        "COUNT([in.point_gpus_per_node])-COUNTIF([in.point_gpus_per_node],[in.gpus_per_node])",
    ),
    _alert(
        "more_sizes",
        "Measured sizes that the curve leaves out",
        "[fit.sizes]-COUNT([siz.measured])",
    ),
    _alert(
        "sources",
        "The curve mixes forecasts of different sources",
        "+".join(f'MIN(1,COUNTIF([fct.source],"{source}"))' for source in SOURCES) + "-1",
    ),
    _alert(
        "low_efficiency",
        "Efficiency at the planned size is low",
        "1*([pln.efficiency]<[const.low_efficiency])",
    ),
    _alert(
        "past_paying",
        "The planned size is past the one up to which nodes pay",
        "[val.stops]*([val.pays_up_to]<[pln.nodes])",
    ),
)


def aliases(places: Places, sizes: int) -> Mapping[str, str]:
    """Cells and parts of columns that checks name, by an id of their own."""

    def part(column_id: str, first: str, last: str, last_column: str = "") -> str:
        sheet, letter = places.columns[column_id]
        rows = places.rows[column_id]
        right = places.columns[last_column or column_id][1]
        return f"{sheet}!${letter}${rows[first]}:${right}${rows[last]}"

    def cell(column_id: str, key: str) -> str:
        sheet, letter = places.columns[column_id]
        return f"{sheet}!${letter}${places.rows[column_id][key]}"

    first, *_, last = FABRIC_IDS.values()
    later, end = "size_2", f"size_{sizes}"
    return {
        "cur.first_efficiency": cell("cur.efficiency", "size_1"),
        "val.first_cost": cell("val.cost", "size_1"),
        "siz.planned_reach": cell("siz.reach", "at_planned"),
        "val.added": part("val.node_added", later, end),
        "val.later": part("val.nodes", later, end),
        "val.earlier": part("val.nodes", "size_1", f"size_{sizes - 1}"),
        "fab.grid": part(f"fab.{first}", "nodes_1", "nodes_64", f"fab.{last}"),
        "fab.floor_nodes": part(
            f"fab.model_{first}", "floor_nodes", "floor_nodes", f"fab.model_{last}"
        ),
        "fab.losses": part(f"fab.model_{first}", "loss", "loss", f"fab.model_{last}"),
    }
