"""``pandoer table pivot``, ``fit``, ``plot`` and ``cards``: what a strength table says."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pandoer.cli.show import note, show, table, write_json
from pandoer.counts import MOST_TERMS, Count, builtin, fit, load
from pandoer.errors import PandoerError
from pandoer.features import FEATURES
from pandoer.frames import Frame, needed
from pandoer.pivot import pivot
from pandoer.plots import calibration, distribution, heat

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = ("heat", "calibration", "distribution")
FORMATS = (".png", ".svg", ".pdf")

Actions = Any
"""What ``add_subparsers`` gives; argparse has no public name for its type."""


def add_pivot(actions: Actions) -> None:
    """Add ``pivot`` to the actions of a command."""
    parser = actions.add_parser(
        "pivot",
        help="the chance of a bid by what is in the hand",
        description="The chance of a bid by one or two features of the hand, with 95 % intervals.",
        epilog="Features:\n" + "\n".join(f"  {name:20}{one.description}" for name, one in FEATURES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run_pivot)
    _add_table(parser)
    parser.add_argument("--bid", required=True, help="a bid of the table")
    parser.add_argument("--rows", required=True, metavar="FEATURE", help="a feature, such as trumps; see below")
    parser.add_argument("--columns", metavar="FEATURE", help="a second feature")


def add_fit(actions: Actions) -> None:
    """Add ``fit`` to the actions of a command."""
    parser = actions.add_parser(
        "fit",
        help="a count of points that says whether to bid",
        description="A small count of points that says whether a bid is worth making, and how good it is on hands that "
        "were held out.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run_fit)
    _add_table(parser)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--bid", help="a bid of the table")
    which.add_argument("--all", action="store_true", help="every bid of the table")
    _add_fitting(parser)


def add_plot(actions: Actions) -> None:
    """Add ``plot`` to the actions of a command."""
    parser = actions.add_parser(
        "plot",
        help="a picture of a table",
        description="A picture: the chance of a bid by two features (heat), how well a count predicts (calibration), "
        "or the chances with random hands (distribution).",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run_plot)
    _add_table(parser)
    parser.add_argument("--kind", required=True, choices=KINDS, help="what to draw")
    parser.add_argument("--bid", required=True, help="a bid of the table")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the file to write, .png, .svg or .pdf")
    parser.add_argument("--rows", metavar="FEATURE", help="for heat: a feature, such as trumps")
    parser.add_argument("--columns", metavar="FEATURE", help="for heat: another feature")
    _add_fitting(parser)


def add_cards(actions: Actions) -> None:
    """Add ``cards`` to the actions of a command."""
    parser = actions.add_parser(
        "cards",
        help="counts of points to keep at the table",
        description="The counts of the package, or those in a file that 'pandoer table fit --json' wrote: what to "
        "count and from how many points to bid, and how good that is on hands that were held out.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run_cards)
    parser.add_argument(
        "file", nargs="?", default="pagat", metavar="NAME",
        help="a ruleset of which the package has counts, or a file (pagat)",
    )  # fmt: skip
    parser.add_argument("--bid", action="append", help="only this bid (repeatable)")
    parser.add_argument("--json", action="store_true", help="print JSON, on one line")


def _add_table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a strength table, or the name of one in the package: pagat")
    parser.add_argument("--rules", metavar="NAME", help="the ruleset, for a table that does not say")
    parser.add_argument("--json", action="store_true", help="print JSON, on one line")


def _add_fitting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--terms", type=int, default=MOST_TERMS, metavar="N", help=f"how many things are counted at most ({MOST_TERMS})"
    )
    parser.add_argument(
        "--threshold", type=float, metavar="P", help="the chance from which the bid is worth making (what pays)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="decides which hands are held out (0)")


def run_pivot(arguments: argparse.Namespace) -> int:
    """The chance of a bid by features."""
    found = pivot(arguments.file, arguments.bid, arguments.rows, arguments.columns, arguments.rules)
    if arguments.json:
        write_json(found.to_dict())
        return 0
    head, *rows = found.grid()
    notes = [] if found.columns is None else ["chance in %, 95 % interval, hands"]
    show(found.title, table(head, rows, figures=head), *notes)
    return 0


def run_fit(arguments: argparse.Namespace) -> int:
    """A count of points for one bid, or for each."""
    frame = Frame.of(arguments.file, arguments.rules)
    if not arguments.all:
        count = _fitted(frame, arguments.bid, arguments)
        if arguments.json:
            write_json(count.to_dict())
        else:
            show(*count.lines())
        return 0
    counts = []
    for bid in frame.bids:
        try:
            counts.append(_fitted(frame, bid, arguments))
        except PandoerError as error:
            note(str(error))
    if not counts:
        raise PandoerError(f"no count for any of {', '.join(frame.bids)}: expected a larger table")
    if arguments.json:
        write_json([count.to_dict() for count in counts])
    else:
        show("\n\n".join(str(count) for count in counts))
    return 0


def run_cards(arguments: argparse.Namespace) -> int:
    """Counts that are there already."""
    there = load(arguments.file) if Path(arguments.file).is_file() else builtin(arguments.file)
    counts = [*there.values()]
    if arguments.bid is not None:
        names = [counts[0].rules.bid(bid).name for bid in arguments.bid]
        for name in names:
            if name not in there:
                raise PandoerError(f"no count for {name!r}: expected one of {', '.join(there)}")
        counts = [there[name] for name in names]
    if arguments.json:
        write_json([count.to_dict() for count in counts])
    else:
        show("\n\n".join(map(str, counts)))
    return 0


def run_plot(arguments: argparse.Namespace) -> int:
    """A picture in a file."""
    out: Path = arguments.out
    if out.suffix.lower() not in FORMATS:
        raise PandoerError(f"--out {str(out)!r}: expected a name that ends in {', '.join(FORMATS)}")
    if not out.parent.is_dir():
        raise PandoerError(f"--out {str(out)!r}: expected a file in a directory that exists")
    needed("matplotlib", "plot", "a picture").use("agg")
    axes = _drawn(arguments)
    axes.figure.savefig(out, dpi=150)  # type: ignore[union-attr, unused-ignore]
    needed("matplotlib.pyplot", "plot", "a picture").close(axes.figure)
    if arguments.json:
        write_json({"out": str(out), "kind": arguments.kind, "bid": arguments.bid})
    else:
        note(f"wrote {out}")
    return 0


def _drawn(arguments: argparse.Namespace) -> Axes:
    frame = Frame.of(arguments.file, arguments.rules)
    if arguments.kind == "heat":
        if arguments.rows is None or arguments.columns is None:
            raise PandoerError("--kind heat: expected --rows and --columns, two features")
        return heat(pivot(frame, arguments.bid, arguments.rows, arguments.columns))
    if arguments.rows is not None or arguments.columns is not None:
        raise PandoerError(f"--kind {arguments.kind}: expected no --rows or --columns, which are for heat")
    if arguments.kind == "calibration":
        return calibration(_fitted(frame, arguments.bid, arguments))
    return distribution(frame, arguments.bid)


def _fitted(frame: Frame, bid: str, arguments: argparse.Namespace) -> Count:
    return fit(frame, bid, most_terms=arguments.terms, threshold=arguments.threshold, seed=arguments.seed)
