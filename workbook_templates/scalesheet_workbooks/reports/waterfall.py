"""A bridge as a drawing: one bar a kind of change, from the total before to the total now."""

from collections.abc import Iterator
from html import escape

from scalesheet_workbooks.reports.words import money
from scalesheet_workbooks.review.bridge import Bridge
from scalesheet_workbooks.review.findings import CENT

WIDTH, ROW, LEFT, RIGHT = 830, 21, 150, 130
TOTAL, UP, DOWN = "#1f3a5f", "#c8553d", "#2e7d32"


def waterfall(bridge: Bridge) -> str:
    """The bars from left to right as an SVG; costs that rise are red, those that fall green."""
    if bridge.start is None or bridge.end is None or any(b.amount is None for b in bridge.bars):
        return (
            f"<p>Before {money(bridge.start)}, now {money(bridge.end)}: a total is undetermined, "
            "so there is no bridge.</p>"
        )
    rows = list(_rows(bridge.start, bridge.end, [(b.name, b.amount or 0.0) for b in bridge.bars]))
    ends = [value for _, low, high, *_ in rows for value in (low, high)]
    least, most = min(0.0, *ends), max(ends)
    if least == 0 and min(low for _, low, *_ in rows) > 0:
        moving = [value for _, low, high, color, _ in rows[1:-1] for value in (low, high)]
        span = max(moving, default=most) - min(moving, default=0.0)
        least = max(0.0, min(moving, default=0.0) - 3 * span) if span else 0.0
    scale = (WIDTH - LEFT - RIGHT) / ((most - least) or 1.0)
    parts = [f'<svg viewBox="0 0 {WIDTH} {ROW * len(rows) + 4}" width="100%" role="img">']
    for place, (name, low, high, color, words) in enumerate(rows):
        y = place * ROW + 3
        x = LEFT + (max(low, least) - least) * scale
        wide = max(1.5, (high - max(low, least)) * scale) if high > low else 0.0
        parts.append(f'<text x="0" y="{y + 13}">{escape(name)}</text>')
        parts.append(f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="15" fill="{color}"/>')
        parts.append(f'<text x="{WIDTH}" y="{y + 13}" text-anchor="end">{words}</text>')
    if least > 0:
        parts.append(f"<title>The axis begins at {money(least)}</title>")
    return "".join((*parts, "</svg>"))


def _rows(
    start: float, end: float, bars: list[tuple[str, float]]
) -> Iterator[tuple[str, float, float, str, str]]:
    """Name, low and high end, colour and words of each bar."""
    yield "before", 0.0, start, TOTAL, money(start)
    now = start
    for name, amount in bars:
        after = now + amount
        color = UP if amount > 0 else DOWN
        words = f"{amount:+,.2f}" if abs(amount) >= CENT else "–"
        yield name, min(now, after), max(now, after), color, words
        now = after
    yield "now", 0.0, end, TOTAL, money(end)
