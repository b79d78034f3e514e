"""RESULTS.svg: medians as bars, with the spread, for a reader who looks only once."""
from xml.sax.saxutils import escape

from harness.floors import AHC, number
from harness.tools import FOLDER, load, median, select

COLORS = {
    "PiuPiu": "#d9480f", "PiuPiu on the loop": "#a61e4d", "PiuPiu on URLSession": "#f08c5a",
    "async-http-client": "#4c78a8", "URLSession": "#8f8f8f",
    "C loop": "#54a24b", "curl": "#54a24b", "Task": "#54a24b", "EventLoopFuture": "#4c78a8", "OpenCombine": "#7d62a8",
    "main queue hops": "#8f8f8f", "NIO": "#4c78a8", "NIOAsyncChannel": "#7d62a8", "Python's websockets": "#8f8f8f",
}
WIDTH, BAR, GAP, LABEL = 470, 20, 7, 160
NOTE = 'font-size="11" fill="#666"'


def panels():
    """Title, and for each bar a name and the values of the rounds."""
    _, requests = load("requests")

    def clients(key, **wanted):
        found = select(requests, **wanted)
        return [(c, [r[key] for r in found if r["client"] == c]) for c in dict.fromkeys(r["client"] for r in found)]

    h1 = {"protocol": "http", "load": "GET 500 B"}
    h2 = {"protocol": "h2", "load": "GET 500 B", "in_flight": 100}
    yield "Requests per second: HTTP/1.1, 500 B, 32 in flight", "more is better", clients("rate", **h1, in_flight=32)
    yield "CPU per request, µs: HTTP/1.1, 500 B, 32 in flight", "less is better", clients("cpu_us", **h1, in_flight=32)
    yield "Latency, µs: HTTP/1.1, 500 B, 1 in flight", "less is better", clients("latency_us", **h1, in_flight=1)
    yield "Requests per second: HTTP/2 over TLS, 500 B, 100 streams", "more is better", clients("rate", **h2)
    _, moved = load("transfers")
    titles = {"download": "Download of 256 MiB to a file, ms", "upload": "Upload of 256 MiB from a file, ms"}
    for kind, title in titles.items():
        yield title, "less is better", [
            (c, [r["wall_ms"] for r in select(moved, kind=kind, client=c)]) for c in ("PiuPiu", AHC, "curl")]
    _, flown = load("scale")
    yield "Memory per request, KiB: 5,000 in flight", "less is better", [
        (c, [r["memory_kib"] for r in select(flown, in_flight=5000, client=c)]) for c in ("PiuPiu", AHC)]
    _, echoed = load("websockets")
    clients_of = dict.fromkeys(r["client"] for r in echoed)
    for key, title, direction in (
        ("rate", "Messages per second: 32 WebSockets, 125 B", "more is better"),
        ("cpu_us", "CPU per message, µs: 32 WebSockets, 125 B", "less is better"),
    ):
        yield title, direction, [
            (c, [r[key] for r in select(echoed, client=c, length=125, sockets=32)]) for c in clients_of]
    _, futures = load("futures")
    yield "A future with three thens, µs", "less is better", [
        (c, [r["wall_us"] for r in select(futures, shape="3 thens", contestant=c, program=p)])
        for c, p in (("PiuPiu", "FutureCost"), ("Task", "FutureCost"), ("EventLoopFuture", "PeerFutures"),
                     ("OpenCombine", "PeerFutures"), ("main queue hops", "FutureCost"))]


def panel(title, direction, bars, left, top):
    yield f'<text x="{left}" y="{top + 16}" font-size="14" font-weight="bold">{escape(title)}</text>'
    yield f'<text x="{left}" y="{top + 33}" {NOTE}>{direction}</text>'
    # The medians decide, or one round in which the machine did something else would make all the others small.
    largest = 1.2 * max(median(values) for _, values in bars)
    room = WIDTH - LABEL - 75
    y = top + 44
    for name, values in bars:
        middle = median(values)
        length = max(1, middle / largest * room)
        low, high = (LABEL + min(v / largest, 1) * room for v in (min(values), max(values)))
        end = f"M{left + high:.1f} {y + BAR / 2 - 4}v8" if max(values) <= largest else ""
        center = y + BAR / 2
        weight = "bold" if name.startswith("PiuPiu") else "normal"
        text = f'y="{center + 4}" font-weight="{weight}"'
        yield f'<text x="{left + LABEL - 8}" {text} text-anchor="end">{escape(name)}</text>'
        color = COLORS.get(name, "#b0a040")
        yield f'<rect x="{left + LABEL}" y="{y}" width="{length:.1f}" height="{BAR}" fill="{color}"/>'
        path = f"M{left + low:.1f} {center}H{left + high:.1f}M{left + low:.1f} {center - 4}v8{end}"
        yield f'<path d="{path}" stroke="#222" fill="none"/>'
        x = left + max(LABEL + length, high) + 6
        yield f'<text x="{x:.1f}" {text}>{number(middle)}</text>'
        y += BAR + GAP


def write():
    shown = []
    for title, direction, bars in panels():
        bars = [(name, values) for name, values in bars if values]
        if bars:
            shown.append((title, direction, bars))
    parts, top = [], 16
    for row in range(0, len(shown), 2):
        pair = shown[row:row + 2]
        for place, (title, direction, bars) in enumerate(pair):
            parts += panel(title, direction, bars, 20 + place * (WIDTH + 20), top)
        top += 62 + max(len(bars) for _, _, bars in pair) * (BAR + GAP)
    width = 2 * WIDTH + 60
    note = "Bars are medians; lines reach from the smallest to the largest, without an end where they leave the panel."
    parts.append(f'<text x="20" y="{top + 6}" {NOTE}>{note}</text>')
    (FOLDER / "RESULTS.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top + 20}" viewBox="0 0 {width} {top + 20}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222">\n'
        '<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )
