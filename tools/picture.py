#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the hand-offs of a campaign of configs/quick.ini as SVG: a dot and its interval per mechanism and placement, log scale.

Usage: assay export --format csv DIR | tools/picture.py > picture.svg
"""
import csv
import html
import math
import sys

WIDTH, LEFT, RIGHT, ROW, TOP = 860, 280, 40, 22, 64
COLOURS = {"unbound": "#0072b2", "same-pu": "#d55e00", "bound": "#000000"}  # told apart without colour vision
OTHER = "#009e73"
NUMBERS = ("regime_share", "median", "low", "high")
SHAPES = {"unbound": "circle", "same-pu": "square"}


def visible(text):
    """The text for XML, which cannot hold most control characters at all."""
    return html.escape("".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text))


def number(text):
    """A number that can stand on a log scale, or None: what came with the results is not trusted."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value < math.inf else None


def rows_of(stream):
    """The dominant regime of each hand-off, as (label, placement, median, low, high, converged), slowest last."""
    best = {}
    for row in csv.DictReader(stream):
        if not row["series"].startswith("handoff") or None in map(number, (row[name] for name in NUMBERS)):
            continue
        key = (row["channel"], row["vehicle"], row["placement"])
        if key not in best or float(row["regime_share"]) > float(best[key]["regime_share"]):
            best[key] = row
    rows = []
    for (channel, vehicle, placement), row in best.items():
        numbers = (float(row[name]) for name in NUMBERS[1:])
        rows.append((f"{channel}, {vehicle}, {row['regime']}", placement, *numbers, row["verdict"] == "converged"))
    return sorted(rows, key=lambda row: (row[1], row[2]))


def mark(shape, x, y, colour, filled):
    fill = colour if filled else "white"
    if shape == "square":
        return f'<rect x="{x - 5:.1f}" y="{y - 5}" width="10" height="10" fill="{fill}" stroke="{colour}" stroke-width="2"/>'
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y}" r="5" fill="{fill}" stroke="{colour}" stroke-width="2"/>'
    points = f"{x:.1f},{y - 6} {x + 6:.1f},{y} {x:.1f},{y + 6} {x - 6:.1f},{y}"
    return f'<polygon points="{points}" fill="{fill}" stroke="{colour}" stroke-width="2"/>'


def time_text(ns):
    return f"{ns:g} ns" if ns < 1e3 else f"{ns / 1e3:g} us" if ns < 1e6 else f"{ns / 1e6:g} ms"


def axis(low, high, place, bottom):
    for decade in range(math.ceil(low), math.floor(high) + 1):
        x = place(10**decade)
        yield f'<line x1="{x:.1f}" y1="{TOP - 12}" x2="{x:.1f}" y2="{bottom}" stroke="#ddd"/>'
        yield f'<text x="{x:.1f}" y="{TOP - 18}" text-anchor="middle" fill="#555">{time_text(10**decade)}</text>'


def picture(rows):
    low = math.log10(min(row[3] for row in rows)) - 0.1
    high = math.log10(max(row[4] for row in rows)) + 0.1
    bottom = TOP + ROW * len(rows) + 10

    def place(ns):
        return LEFT + (math.log10(ns) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 16}" '
           'font-family="sans-serif" font-size="13">')
    yield f'<rect width="{WIDTH}" height="{bottom + 16}" fill="white"/>'
    yield '<text x="12" y="22" font-size="15">Round trip of a hand-off, by mechanism, vehicle and placement</text>'
    yield from axis(low, high, place, bottom)
    for index, (label, placement, median, below, above, converged) in enumerate(rows):
        y = TOP + ROW * index + 10
        colour = COLOURS.get(placement, OTHER)
        yield f'<text x="12" y="{y + 4}">{visible(label)}</text>'
        yield f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end" fill="{colour}">{visible(placement)}</text>'
        yield f'<line x1="{place(below):.1f}" y1="{y}" x2="{place(above):.1f}" y2="{y}" stroke="{colour}" stroke-width="3"/>'
        yield mark(SHAPES.get(placement), place(median), y, colour, converged)
    yield f'<text x="12" y="{bottom + 8}" fill="#555" font-size="11">line: 95 % interval; hollow: not converged</text>'
    yield "</svg>"


def main():
    rows = rows_of(sys.stdin)
    if not rows:
        print("picture: no hand-offs with a number on standard input", file=sys.stderr)
        return 1
    print("\n".join(picture(rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
