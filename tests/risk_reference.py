"""Percentiles of 20 risk cases from 10,000,000 draws each: python tests/risk_reference.py.

Writes tests/golden/risk_reference.json, which the tests of TRAIN_COST_RISK read; two minutes. The
draws are NumPy's beta distribution, so nothing of what is tested goes into them.
"""

import json
import random
from pathlib import Path
from typing import Any

import numpy

SEED = 20_261_130
CASES = 20
DRAWS, CHUNK = 10_000_000, 1_000_000
PROBABILITIES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
GOLDEN = Path(__file__).parent / "golden" / "risk_reference.json"

# Smallest and largest low, and the largest share that high lies above it.
INPUTS = {
    "ideal_hours": (10.0, 5000.0, 2.0),
    "gpu_hour_price": (0.5, 8.0, 3.0),
    "efficiency": (0.3, 0.9, 0.6),
    "rework": (0.02, 0.4, 4.0),
}
SHAPES = ("inside", "inside", "inside", "low", "high", "constant")
HARD = (
    ("constant", "constant", "constant", "constant"),
    ("low", "low", "low", "low"),
    ("high", "high", "high", "high"),
    ("constant", "low", "constant", "constant"),
    ("low", "high", "low", "high"),
)
"""Where the mode lies, for the first cases; the others are drawn from SHAPES."""

Case = dict[str, Any]


def cases() -> list[Case]:
    """The arguments of TRAIN_COST_RISK but the probability, by name."""
    rng = random.Random(SEED)
    return [
        _case(rng, HARD[place] if place < len(HARD) else rng.choices(SHAPES, k=len(INPUTS)))
        for place in range(CASES)
    ]


def _case(rng: random.Random, shapes: Any) -> Case:
    spreads = {
        name: _spread(rng, limits, shape)
        for (name, limits), shape in zip(INPUTS.items(), shapes, strict=True)
    }
    gpus = float(rng.choice((8, 64, 256, 1024)))
    return {
        "gpus": gpus,
        **spreads,
        "storage": float(rng.randint(0, 2000)),
        "egress": float(rng.randint(0, 1000)),
    }


def _spread(
    rng: random.Random, limits: tuple[float, float, float], shape: str
) -> tuple[float, float, float]:
    smallest, largest, widening = limits
    low = float(f"{rng.uniform(smallest, largest):.3g}")
    high = float(f"{low * (1 + rng.uniform(0.05, widening)):.3g}")
    inside = float(f"{rng.uniform(low, high):.3g}")
    modes = {"low": low, "high": high, "inside": inside}
    return (low, low, low) if shape == "constant" else (low, modes[shape], high)


def percentiles(case: Case, rng: Any) -> list[float]:
    """The percentiles of one case by plain random draws."""
    totals = numpy.concatenate([_totals(case, rng) for _ in range(DRAWS // CHUNK)])
    return [float(value) for value in numpy.quantile(totals, PROBABILITIES)]


def _totals(case: Case, rng: Any) -> Any:
    hours, price, efficiency, rework = (_draws(case[name], rng) for name in INPUTS)
    compute = case["gpus"] * (hours / efficiency) * price
    return compute + compute * rework + case["storage"] + case["egress"]


def _draws(spread: tuple[float, float, float], rng: Any) -> Any:
    low, mode, high = spread
    if low == high:
        return numpy.full(CHUNK, low)
    a, b = 1 + 4 * (mode - low) / (high - low), 1 + 4 * (high - mode) / (high - low)
    return low + (high - low) * rng.beta(a, b, CHUNK)


def main() -> None:
    """Draw, and write the golden file."""
    rng = numpy.random.default_rng(SEED)
    results = [{**case, "percentiles": percentiles(case, rng)} for case in cases()]
    lines = ",\n".join(json.dumps(result) for result in results)
    GOLDEN.write_text(
        f'{{"draws": {DRAWS}, "seed": {SEED}, "probabilities": {json.dumps(PROBABILITIES)},\n'
        f'"cases": [\n{lines}\n]}}\n',
        encoding="utf-8",
        newline="\n",
    )
    print(f"{GOLDEN.name}: {CASES} cases of {DRAWS:,} draws, NumPy {numpy.__version__}")


if __name__ == "__main__":
    main()
