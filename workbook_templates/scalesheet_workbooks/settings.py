"""Single inputs set over a study, each by the id that stands beside it in the workbook.

Limits and their words are the registry's; here is only what a setting can get wrong beyond them:
ids, scenarios, and values that nothing takes.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from difflib import get_close_matches

from scalesheet.domains import Choice
from scalesheet.errors import ScalesheetError
from scalesheet.workload import work_gpu_hours
from scalesheet_workbooks.inputs import MODEL_SIZE, Input, Pick
from scalesheet_workbooks.proposal_inputs import DAY, PER_GPU, PROPOSAL_BY_ID
from scalesheet_workbooks.scenario_proposal import SERIAL_ZERO
from scalesheet_workbooks.scenario_text import ScenarioError, cleaned
from scalesheet_workbooks.scenario_values import read_date, read_number, read_pick, short
from scalesheet_workbooks.study import Scenario, Study

Value = float | str
_FORM = re.compile(r"(?:(?P<scenario>.+):)?\s*(?P<id>[^:=]+?)\s*=(?P<value>.*)", re.DOTALL)
SCENARIO_ID = "in.scenario"
_INSTANCE = ("in.instance_hour_price", "in.gpus_per_instance")
_MODEL = ("in.parameters", "in.tokens", "in.peak_flops_per_second", "in.mfu")
_ELSEWHERE = {
    "in.fx_": "[[rate]]",
    "in.fabric_class": "efficiency = { measured = [...], fabric_class = ... }",
    "in.measured_": "efficiency = { measured = [...] }",
}
"""How a scenario file gives what is more than one number."""


class SettingError(ScenarioError):
    """Settings that cannot be used: every problem found, one line each."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A value for an input; ``scenario`` is the one that it counts for, empty for those at hand."""

    input_id: str
    value: str
    scenario: str = ""


def parsed(text: str) -> Setting:
    """A setting as it is typed.

    >>> parsed("Spot: 8 nodes:in.gpus=64")
    Setting(input_id='in.gpus', value='64', scenario='Spot: 8 nodes')
    """
    match = _FORM.fullmatch(text)
    if match is None:
        raise SettingError([f"{short(cleaned(text))}: write ID=VALUE, as in.gpu_hour_price=2.10"])
    return Setting(match["id"], match["value"].strip(), (match["scenario"] or "").strip())


def with_settings(
    study: Study,
    inputs: Mapping[str, Input],
    settings: Sequence[Setting],
    scenarios: Sequence[str],
    elsewhere: Callable[[str], str],
) -> Study:
    """The study with values set in the scenarios named, in all of them when none is named.

    ``inputs`` are the template's by id; ``elsewhere`` says in words what an id of the workbook is
    that is no such input, or nothing. SettingError with every problem when there is any.
    """
    problems: list[str] = []
    named = _places(study, scenarios, problems.append)
    made: list[tuple[Input, list[int]]] = []
    for setting in settings:
        entry = inputs.get(setting.input_id) or inputs.get(f"in.{setting.input_id}")
        if entry is None:
            problems.append(_unknown(setting.input_id, inputs, elsewhere))
            continue
        places = _places(study, [setting.scenario], problems.append) if setting.scenario else named
        value = _value(entry, setting.value, problems.append)
        if value is not None:
            study = _set(study, entry, value, places)
            made.append((entry, places))
    if not problems:
        problems += filter(None, (_unused(study, inputs, *setting) for setting in made))
    if problems:
        raise SettingError(list(dict.fromkeys(problems)))
    touched = {place for _, places in made for place in places}
    cases = enumerate(study.scenarios)
    followed = (_followed(case, inputs) if place in touched else case for place, case in cases)
    return replace(study, scenarios=tuple(followed))


def _places(study: Study, names: Sequence[str], refuse: Callable[[str], None]) -> list[int]:
    """The scenarios of some names, by place: as written, else in any case, else by number."""
    titles = [scenario.name for scenario in study.scenarios]
    found: list[int] = []
    for name in names:
        same = [place for place, title in enumerate(titles) if title == name]
        folded = [place for place, title in enumerate(titles) if title.lower() == name.lower()]
        if same or folded:
            found += same or folded
        elif name.isdecimal() and 1 <= int(name) <= len(titles):
            found.append(int(name) - 1)
        else:
            known = ", ".join(map(short, titles))
            refuse(f"there is no scenario {short(cleaned(name))}: they are {known}")
    return sorted(set(found)) if names else list(range(len(titles)))


def _unknown(input_id: str, inputs: Mapping[str, Input], elsewhere: Callable[[str], str]) -> str:
    """What to type instead of an id that is no input of the template."""
    shown = short(cleaned(input_id))
    if input_id in (SCENARIO_ID, SCENARIO_ID.removeprefix("in.")):
        return (
            f"{shown} is the name of a scenario, which a scenario file gives: "
            "use --scenario NAME to say which one --set counts for"
        )
    if what := elsewhere(input_id):
        return f"{shown} {what}: set an input, as in.gpus"
    bare = [name.removeprefix("in.") for name in inputs]
    wanted = re.sub(r"[\s-]+", "_", input_id.strip().lower()).removeprefix("in.")
    nearest = " or ".join(f"in.{name}" for name in get_close_matches(wanted, bare, 3, 0.7))
    return (
        f"{shown} is no input of this template: type {nearest or 'an id of column B of its Inputs'}"
    )


def _value(entry: Input, text: str, refuse: Callable[[str], None]) -> Value | None:
    """The value of a setting as the input takes it, or None after saying why not."""
    if form := _only_in_a_file(entry):
        refuse(f"{entry.id} is given in a scenario file alone: write {form}")
        return None
    if entry.domain is DAY:
        name = entry.id.removeprefix("in.")
        day = read_date(
            text, lambda said: refuse(said.replace(f"{name} = ", f"{entry.id}=")), entry.id
        )
        return float((day - SERIAL_ZERO).days) if day else None
    if isinstance(entry.domain, Pick):
        return read_pick(text, entry.id, entry.domain, refuse)
    if isinstance(entry.domain, Choice):
        try:
            return entry.domain.read(entry.id, text)
        except ScalesheetError as error:
            refuse(str(error))
            return None
    return read_number(_number(text), entry.id, entry.domain, refuse)


def _only_in_a_file(entry: Input) -> str:
    """How a scenario file gives what is more than one number; nothing for other inputs."""
    if entry.key.startswith("risk."):
        return f"risk = {{ {entry.key.split('.')[1]} = [low, mode, high] }}"
    return next((form for head, form in _ELSEWHERE.items() if entry.id.startswith(head)), "")


def _number(text: str) -> Value:
    """A number as typed; what is none stays text, to be refused in the registry's words.

    >>> _number("2.10"), _number("15%"), _number("1,000")
    (2.1, 0.15, '1,000')
    """
    try:
        return float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return text


def _set(study: Study, entry: Input, value: Value, places: Sequence[int]) -> Study:
    if entry.id == "in.as_of":
        return replace(study, as_of=SERIAL_ZERO + timedelta(days=float(value)))
    if entry.once:
        once = {**study.proposal.once, entry.id: value}
        return replace(study, proposal=replace(study.proposal, once=once))
    cases = list(study.scenarios)
    for place in places:
        cases[place] = replace(cases[place], values={**cases[place].values, entry.id: value})
    return replace(study, scenarios=tuple(cases))


def _followed(scenario: Scenario, inputs: Mapping[str, Input]) -> Scenario:
    """A scenario with what its file worked out of other values worked out anew."""
    values = dict(scenario.values)
    if values.get("in.work_basis") == MODEL_SIZE and all(name in inputs for name in _MODEL):
        values["in.total_gpu_hours"] = work_gpu_hours(*(float(values[name]) for name in _MODEL))
    given = [float(values[name]) for name in _INSTANCE if name in values]
    if "in.price_basis" not in inputs or values.get("in.price_basis", PER_GPU) == PER_GPU:
        values = {name: value for name, value in values.items() if name not in _INSTANCE}
    elif len(given) == len(_INSTANCE):
        values["in.gpu_hour_price"] = given[0] / given[1]
    return replace(scenario, values=values)


def outside_ranges(study: Study) -> Iterator[str]:
    """Inputs that lie outside the ranges which Risk draws from, a line each."""
    for scenario in study.scenarios:
        for name, (low, _, high) in scenario.risk.items():
            value = scenario.values.get(f"in.{name}")
            if isinstance(value, float) and not low <= value <= high:
                yield (
                    f"{short(scenario.name)}: in.{name} {value:g} is outside its range in Risk, "
                    f"{low:g} to {high:g}"
                )


def _unused(study: Study, inputs: Mapping[str, Input], entry: Input, places: Sequence[int]) -> str:
    """What is wrong with a setting that no scenario at hand takes; nothing when one does."""
    pick, *options = PROPOSAL_BY_ID[entry.id].used_by or ("",)
    if pick not in inputs:
        return ""
    picked = [study.scenarios[place].values.get(pick, inputs[pick].default) for place in places]
    if any(value in options for value in picked):
        return ""
    wanted, names = " or ".join(options), ", ".join(study.scenarios[at].name for at in places)
    return (
        f"{entry.id} counts only where {pick} is {wanted}, and it is {picked[0]} in "
        f"{short(names)}: add --set {pick}={_quoted(options[0])}"
    )


def _quoted(option: str) -> str:
    return f'"{option}"' if " " in option else option
