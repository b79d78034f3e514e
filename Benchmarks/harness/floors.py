"""The floors, and what was measured against them."""
from dataclasses import dataclass

from harness.tools import load, median, select

AHC = "async-http-client"
LOOP = "PiuPiu on the loop"


@dataclass
class Ratio:
    """A ratio of medians, and the smallest and largest ratio of the rounds."""

    value: float
    low: float
    high: float

    def __str__(self):
        return f"{number(self.value)} ({number(self.low)} – {number(self.high)})"


def number(value):
    if value is None:
        return "–"
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def ratio(ours, theirs, key, other=None):
    """None where either is missing. The spread is that of rounds, or of everything where one had more rounds."""
    mine = [r[key] for r in ours]
    others = [r[other or key] for r in theirs]
    if not mine or not others or median(others) == 0:
        return None
    pairs = zip(mine, others) if len(mine) == len(others) else ((a, b) for a in mine for b in others)
    rounds = [a / b for a, b in pairs if b]
    return Ratio(median(mine) / median(others), min(rounds), max(rounds))


def floors():
    """Yields what is measured, how it must be ("≥" or "≤"), the limit, and a ratio, a number or None."""
    _, requests = load("requests")

    def cell(client, kind, in_flight):
        return select(requests, client=client, protocol=kind, load="GET 500 B", in_flight=in_flight)

    def compared(kind, in_flight, other, key, ours="PiuPiu"):
        return ratio(cell(ours, kind, in_flight), cell(other, kind, in_flight), key)

    h1 = "HTTP/1.1, 500 B, 32 in flight: "
    yield h1 + "requests/s, async-http-client = 1", "≥", 1.5, compared("http", 32, AHC, "rate")
    yield h1 + "requests/s, `URLSession` = 1", "≥", 10, compared("http", 32, "URLSession", "rate")
    yield h1 + "requests/s, C loop = 1", "≥", 0.6, compared("http", 32, "C loop", "rate")
    yield h1 + "CPU per request, async-http-client = 1", "≤", 0.55, compared("http", 32, AHC, "cpu_us")
    yield h1 + "CPU per request, C loop = 1", "≤", 1.1, compared("http", 32, "C loop", "cpu_us")
    yield "HTTP/1.1, 500 B, 1 in flight: latency, async-http-client = 1", "≤", 0.85, compared(
        "http", 1, AHC, "latency_us")
    h2 = "HTTP/2 over TLS, 500 B, 100 streams, 2 connections: "
    yield h2 + "requests/s, async-http-client = 1", "≥", 1.7, compared("h2", 100, AHC, "rate")
    yield h2 + "CPU per request, async-http-client = 1", "≤", 0.6, compared("h2", 100, AHC, "cpu_us")

    on = "on the loop, HTTP/1.1, 500 B, "
    yield on + "32 in flight: CPU per request, C loop = 1", "≤", 0.88, compared("http", 32, "C loop", "cpu_us", LOOP)
    yield on + "32 in flight: requests/s, C loop = 1", "≥", 1.05, compared("http", 32, "C loop", "rate", LOOP)
    yield on + "32 in flight: requests/s, async-http-client = 1", "≥", 2.4, compared("http", 32, AHC, "rate", LOOP)
    yield on + "1 in flight: CPU per request, C loop = 1", "≤", 1.15, compared("http", 1, "C loop", "cpu_us", LOOP)
    yield on + "1 in flight: requests/s, async-http-client = 1", "≥", 2.5, compared("http", 1, AHC, "rate", LOOP)
    yield "on the loop, HTTP/2, 100 streams: CPU per request, async-http-client = 1", "≤", 0.2, compared(
        "h2", 100, AHC, "cpu_us", LOOP)
    _, looped = load("loops")
    yield "two loops, each with its tasks: CPU per request, one loop = 1", "≤", 1.1, ratio(
        select(looped, loops=2), select(looped, loops=1), "cpu_us")

    _, moved = load("transfers")
    names = {"download": "download to a file", "upload": "upload from a file", "read": "streamed body"}
    for kind, name in names.items():
        ours = select(moved, client="PiuPiu", kind=kind)
        curl, theirs = (select(moved, client=client, kind=kind) for client in ("curl", AHC))
        yield f"256 MiB, {name}: wall, `curl` = 1", "≤", 1.3 if kind == "read" else 1.1, ratio(ours, curl, "wall_ms")
        yield f"256 MiB, {name}: wall, async-http-client = 1", "≤", 1, ratio(ours, theirs, "wall_ms")
        yield f"256 MiB, {name}: memory growth, MiB", "≤", 8, max([r["growth_mib"] for r in ours], default=None)
    yield "256 MiB, streamed body on the loop: wall, `curl` = 1", "≤", 1.1, ratio(
        select(moved, client=LOOP, kind="read"), select(moved, client="curl", kind="read"), "wall_ms")
    slow = select(moved, kind="slow read")
    yield "256 MiB read with pauses: memory growth, MiB", "≤", 4, max([r["growth_mib"] for r in slow], default=None)

    _, flown = load("scale")
    many = select(flown, client="PiuPiu", in_flight=5000)
    yield "5,000 in flight: memory per request, async-http-client = 1", "≤", 0.8, ratio(
        many, select(flown, client=AHC, in_flight=5000), "memory_kib")
    yield "5,000 in flight: CPU per request, 100 in flight = 1", "≤", 1.3, ratio(
        many, select(flown, client="PiuPiu", in_flight=100), "cpu_us")

    _, futures = load("futures")

    def shape(contestant, program="FutureCost"):
        return select(futures, contestant=contestant, shape="3 thens", program=program)

    yield "three `then`s: wall, a bare `Task` = 1", "≤", 3, ratio(shape("PiuPiu"), shape("Task"), "wall_us")
    yield "three `then`s: wall, OpenCombine on a queue = 1", "≤", 1, ratio(
        shape("PiuPiu"), shape("OpenCombine", "PeerFutures"), "wall_us")
    held = [r["memory_kib"] for r in futures if "memory_kib" in r and r["shape"] == "0 thens"]
    yield "a future in flight: memory, KiB", "≤", 4, median(held)

    for module in ("NetworkKit", "PiuPiuClassic", "Futuristics"):
        yield f"a GET through `{module}`: CPU, `ResponseFuture` = 1", "≤", 1.05, ratio(
            select(futures, contestant=module), select(futures, contestant="ResponseFuture"), "cpu_us")

    _, policies = load("policies")
    for contestant in ("an interceptor that does nothing", "BearerToken"):
        yield f"a GET with {contestant}: CPU, no policy = 1", "≤", 1.08, ratio(
            select(policies, contestant=contestant), select(policies, contestant="no policy"), "cpu_us")
    yield "a GET with retry, bearer token and rate limit: CPU, no policy = 1", "≤", 1.15, ratio(
        select(policies, contestant="retry, bearer token and rate limit"), select(policies, contestant="no policy"),
        "cpu_us")
    yield "a GET with an observer that counts: CPU, no observer = 1", "≤", 1.03, ratio(
        select(policies, contestant="an observer that counts"), select(policies, contestant="no policy"), "cpu_us")

    _, echoed = load("websockets")
    for other, name in (("NIO", "SwiftNIO's channel handlers"), ("NIOAsyncChannel", "`NIOAsyncChannel`")):
        for client, where in (("PiuPiu", ""), (LOOP, "on the loop, ")):
            for length, size in ((125, "125 B"), (16_384, "16 KiB")):
                mine, theirs = (
                    select(echoed, client=c, length=length, sockets=32) for c in (client, other))
                load_name = f"{where}32 WebSockets, {size}: "
                yield f"{load_name}messages/s, {name} = 1", "≥", 1.5, ratio(mine, theirs, "rate")
                yield f"{load_name}CPU per message, {name} = 1", "≤", 0.7, ratio(mine, theirs, "cpu_us")
    resting = select(echoed, client="PiuPiu", idle=10_000, waiting=False)
    yield "10,000 idle WebSockets: memory of each, bytes", "≤", 8192, median([r["memory_bytes"] for r in resting])
    yield "10,000 idle WebSockets: memory, SwiftNIO's channel handlers = 1", "≤", 0.8, ratio(
        resting, select(echoed, client="NIO", idle=10_000), "memory_bytes")
    resting = select(echoed, client="PiuPiu", idle=10_000, waiting=True)
    yield "10,000 idle WebSockets that tasks wait for: memory of each, bytes", "≤", 8192, median(
        [r["memory_bytes"] for r in resting])
    yield "10,000 idle WebSockets that tasks wait for: memory, `NIOAsyncChannel` = 1", "≤", 0.8, ratio(
        resting, select(echoed, client="NIOAsyncChannel", idle=10_000), "memory_bytes")

    _, built = load("footprint")
    yield "clean release build: wall, async-http-client = 1", "≤", 0.36, ratio(
        select(built, client="PiuPiu"), select(built, client=AHC), "build_s")
    yield "clean release build of the lean client: wall, async-http-client = 1", "≤", 0.25, ratio(
        select(built, client="PiuPiu, lean"), select(built, client=AHC), "build_s")


def judged():
    """Each floor with "met", "missed" or "not measured"."""
    for name, direction, limit, found in floors():
        value = found.value if isinstance(found, Ratio) else found
        if value is None:
            result = "not measured"
        else:
            result = "met" if (value >= limit if direction == "≥" else value <= limit) else "missed"
        yield name, f"{direction} {limit}", found, result
