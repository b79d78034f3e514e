"""RESULTS.md, from what was saved."""
from harness.floors import Ratio, judged, number, ratio
from harness.tools import FOLDER, load, median, select

PROTOCOLS = {"http": "HTTP/1.1", "tls": "HTTP/1.1 over TLS", "h2": "HTTP/2 over TLS"}


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"
    yield ""


def unique(records, key):
    return list(dict.fromkeys(record[key] for record in records if key in record))


def spread(records, key):
    """The median, with the smallest and the largest."""
    values = [record[key] for record in records if key in record]
    return f"{number(median(values))} ({number(min(values))} – {number(max(values))})" if values else "–"


def write():
    """Writes the report and gives the floors that were missed."""
    rows = list(judged())
    missed = [f"missed: {name}: {found} is not {limit}" for name, limit, found, result in rows if result == "missed"]
    text = ["# What was measured", ""]
    text += [
        "Written by `Benchmarks/run`; [README.md](README.md) says what the figures mean. Only ratios of one run can be",
        "compared: other machines, and the same machine at another time, give other numbers.", "",
        "![Medians of the clients beside each other](RESULTS.svg)", "",
    ]
    text += conditions()
    text += ["## Floors", ""]
    text += table(
        ["What", "Floor", "Measured", "Result"],
        [(name, limit, found if isinstance(found, Ratio) else number(found), word) for name, limit, found, word in rows],
    )
    for part in (requests, transfers, scale, loops, futures, policies, websockets, proxy, footprint):
        text += part()
    notes = FOLDER / "NOTES.md"
    if notes.exists():
        text += [notes.read_text().strip(), ""]
    (FOLDER / "RESULTS.md").write_text("\n".join(text).rstrip() + "\n")
    return missed


def conditions():
    yield "## Machine"
    yield ""
    rows = []
    found = {}
    for section in ("requests", "transfers", "scale", "loops", "futures", "policies", "websockets", "proxy", "footprint"):
        head, _ = load(section)
        if not head:
            continue
        machine = head["machine"]
        found.update(head["versions"])
        rows.append((
            section, head["date"], machine["cores"], f"{machine['memory_gib']} GiB", machine["cpu"], machine["system"],
            machine["load"],
        ))
    yield from table(["Section", "Date", "Cores", "Memory", "CPU", "System", "Load at the end"], rows)
    yield ", ".join(f"{name} {version}" for name, version in found.items()) + "."
    yield ""


def requests():
    _, records = load("requests")
    if not records:
        return
    clients = unique(records, "client")
    others = [client for client in clients if client != "PiuPiu"]
    yield "## Requests"
    yield ""
    yield "Requests per second and microseconds of CPU per request: medians. One event loop where that can be set."
    yield "Ratios are PiuPiu's median by the other's, with the smallest and largest ratio of the rounds."
    yield ""
    for kind, name in PROTOCOLS.items():
        yield f"### {name}"
        yield ""
        some = [r for r in records if r["protocol"] == kind]
        loads = list(dict.fromkeys((r["load"], r["in_flight"]) for r in some))
        for key, title in (("rate", "Requests per second"), ("cpu_us", "CPU per request, µs")):
            rows = []
            for load_name, in_flight in sorted(loads, key=lambda pair: (unique(some, "load").index(pair[0]), pair[1])):
                def cell(client):
                    return select(some, load=load_name, in_flight=in_flight, client=client)
                rows.append([
                    load_name, in_flight, *(number(median([r[key] for r in cell(c)])) for c in clients),
                    *(ratio(cell("PiuPiu"), cell(c), key) or "–" for c in others),
                ])
            yield f"{title}:"
            yield ""
            yield from table(["Load", "In flight", *clients, *(f"PiuPiu / {c}" for c in others)], rows)
        spoken = {c: unique(select(some, client=c), "protocol_spoken") for c in clients}
        spoken = {c: v for c, v in spoken.items() if v}
        yield "Spoken: " + ", ".join(f"{c} {'/'.join(v)}" for c, v in spoken.items()) + "."
        yield ""
        for client in clients:
            failures = [r for r in some if r["client"] == client and "failed" in r]
            for record in failures:
                yield f"- {client} failed: {record['load']}, {record['in_flight']} in flight: {record['failed'][:160]}"
            if failures:
                yield ""


def transfers():
    _, records = load("transfers")
    if not records:
        return
    yield f"## Transfers of {records[0]['mib']} MiB"
    yield ""
    yield "Whole commands, over plain HTTP/1.1. Growth is by how much the memory of the process grew at most during the"
    yield "transfer; the largest of the rounds."
    yield ""
    rows = []
    for kind in unique(records, "kind"):
        for client in unique(records, "client"):
            cell = select(records, kind=kind, client=client)
            if not cell:
                continue
            ours = select(records, kind=kind, client="PiuPiu")
            growth = max([r["growth_mib"] for r in cell if "growth_mib" in r], default=None)
            rows.append([
                kind, client, *(spread(cell, key) for key in ("wall_ms", "transfer_ms", "cpu_ms", "peak_mib")),
                number(growth),
                "" if client == "PiuPiu" else ratio(ours, cell, "wall_ms"),
                "" if client == "PiuPiu" else ratio(ours, cell, "cpu_ms"),
            ])
    yield from table(
        ["What", "Client", "Wall, ms", "Of it the transfer", "CPU, ms", "Peak memory, MiB", "Growth, MiB",
         "PiuPiu's wall / its", "PiuPiu's CPU / its"],
        rows,
    )


def scale():
    _, records = load("scale")
    if not records:
        return
    yield "## Many in flight"
    yield ""
    yield "All at the same time, each on a connection of its own, opened for it, against a server that answers late."
    yield "Memory is what the process grew by at most, divided by the requests. CPU is that of later batches in the same"
    yield "process, each with a client of its own: memory that is new to a process costs more."
    yield ""
    rows = []
    for count in unique(records, "in_flight"):
        for client in unique(records, "client"):
            cell = select(records, in_flight=count, client=client)
            ours = select(records, in_flight=count, client="PiuPiu")
            rows.append([
                f"{count:,}", client, spread(cell, "memory_kib"), spread(cell, "cpu_us"),
                "" if client == "PiuPiu" else ratio(ours, cell, "memory_kib") or "–",
                "" if client == "PiuPiu" else ratio(ours, cell, "cpu_us") or "–",
            ])
    yield from table(
        ["In flight", "Client", "Memory each, KiB", "CPU each, µs", "PiuPiu's memory / its", "PiuPiu's CPU / its"], rows
    )


def loops():
    _, records = load("loops")
    if not records:
        return
    yield "## Event loops"
    yield ""
    yield "GET of 500 B over HTTP/1.1, 64 in flight, with the tasks on the loops; the server has the same processors."
    yield ""
    one = select(records, loops=1)
    rows = []
    for count in unique(records, "loops"):
        cell = select(records, loops=count)
        rows.append([count, spread(cell, "rate"), spread(cell, "cpu_us"), ratio(cell, one, "rate"), ratio(cell, one, "cpu_us")])
    yield from table(["Loops", "Requests per second", "CPU per request, µs", "Rate / one loop", "CPU / one loop"], rows)


def futures():
    _, records = load("futures")
    if not records:
        return
    yield "## Futures"
    yield ""
    yield "Made, started and waited for, one after the other. A `Task` is measured in both programs; ratios are by the one"
    yield "of the same program."
    yield ""
    rows = []
    legacy = [r for r in records if r.get("program") == "LegacyCost"]
    records = [r for r in records if r.get("program") != "LegacyCost"]
    for shape in unique(records, "shape"):
        for program in unique(records, "program"):
            task = select(records, shape=shape, program=program, contestant="Task")
            for name in unique([r for r in records if r.get("program") == program], "contestant"):
                cell = select(records, shape=shape, program=program, contestant=name)
                if not cell or (name == "Task" and program != "FutureCost"):
                    continue
                rows.append([
                    shape, name, spread(cell, "wall_us"), spread(cell, "cpu_us"),
                    "" if name == "Task" else ratio(cell, task, "wall_us"),
                    "" if name == "Task" else ratio(cell, task, "cpu_us"),
                ])
    yield from table(["What", "Kind", "Wall, µs", "CPU, µs", "Wall / `Task`'s", "CPU / `Task`'s"], rows)
    held = [r for r in records if "memory_kib" in r]
    if held:
        figures = ", ".join(f"{number(r['memory_kib'])} KiB with {r['shape']}" for r in held)
        yield f"Memory of a future of PiuPiu in flight: {figures}."
        yield ""
    if legacy:
        yield "A GET of 500 bytes, eight in flight, through the older systems' modules, with a handler for the response:"
        yield ""
        ours = select(legacy, contestant="ResponseFuture")
        rows = []
        for name in unique(legacy, "contestant"):
            cell = select(legacy, contestant=name)
            rows.append([name, spread(cell, "cpu_us"), "" if cell == ours else ratio(cell, ours, "cpu_us")])
        yield from table(["Module", "CPU, µs", "CPU / `ResponseFuture`'s"], rows)


def policies():
    _, records = load("policies")
    if not records:
        return
    yield "## Policies"
    yield ""
    yield "A GET of 500 bytes, eight in flight, through dispatchers with these policies:"
    yield ""
    none = select(records, contestant="no policy")
    rows = []
    for name in unique(records, "contestant"):
        cell = select(records, contestant=name)
        rows.append([name, spread(cell, "cpu_us"), "" if cell == none else ratio(cell, none, "cpu_us")])
    yield from table(["Policies", "CPU, µs", "CPU / without policies"], rows)


def websockets():
    _, records = load("websockets")
    if not records:
        return
    yield "## WebSockets"
    yield ""
    yield "Binary messages, each sent when the echo of the last has arrived, to one server on one thread (picows on uvloop). NIO is"
    yield "SwiftNIO's WebSocket client with a channel handler, so that nothing leaves its event loop, and `NIOAsyncChannel` the same"
    yield "client with a task for each socket. One event loop each. Ratios are the client's median by that of NIO."
    yield ""
    echoed = [r for r in records if "length" in r]
    rows = []
    for length in unique(echoed, "length"):
        for sockets in unique(echoed, "sockets"):
            nio = select(echoed, length=length, sockets=sockets, client="NIO")
            for client in unique(echoed, "client"):
                cell = select(echoed, length=length, sockets=sockets, client=client)
                if cell:
                    rows.append([
                        f"{length:,} B", sockets, client, spread(cell, "rate"), spread(cell, "cpu_us"),
                        *("" if client == "NIO" else ratio(cell, nio, key) or "–" for key in ("rate", "cpu_us")),
                        *(number(100 * median([r[key] for r in cell])) for key in ("load", "server_load")),
                    ])
    yield from table(
        ["Message", "Sockets", "Client", "Messages per second", "CPU per message, µs", "Rate / NIO's", "CPU / NIO's",
         "Client's load, %", "Server's load, %"],
        rows,
    )
    yield "Idle: how much the process grew by, divided by the sockets, after all were opened and after an echo on each:"
    yield ""
    rows = []
    for count in unique(records, "idle"):
        nio = select(records, idle=count, client="NIO")
        for client in unique(records, "client"):
            for waiting in (False, True):
                cell = select(records, idle=count, client=client, waiting=waiting)
                if cell:
                    rows.append([
                        f"{count:,}", client, "a task waits for a message" if waiting else "no task",
                        *("–" if waiting and key == "memory_bytes" else spread(cell, key)
                          for key in ("memory_bytes", "echoed_memory_bytes")),
                        "" if client == "NIO" else ratio(cell, nio, "echoed_memory_bytes") or "–",
                        spread(cell, "cpu_us"),
                    ])
    yield from table(
        ["Sockets", "Client", "On each", "Memory each, bytes", "After an echo", "After an echo / NIO's", "CPU to open, µs"],
        rows,
    )
    for record in records:
        if "failed" in record:
            yield f"- {record['client']} failed: {record['failed'][:160]}"
    yield ""


def proxy():
    _, records = load("proxy")
    if not records:
        return
    yield "## Proxies"
    yield ""
    yield "`Examples/Proxy` beside the same Hummingbird server on async-http-client, `Benchmarks/Peers/Sources/PeerProxy`, with"
    yield "nginx behind them and `wrk` before them. One thread for clients, which forwards the requests too, unless other threads do;"
    yield "PiuPiu has one more for the upstream, and async-http-client shares the first. Ratios are PiuPiu's median by the other's."
    yield "async-http-client does not try again."
    yield ""
    loaded = [r for r in records if "in_flight" in r]
    rows = []
    for name in unique(loaded, "load"):
        for client in unique(loaded, "client"):
            cell = select(loaded, load=name, client=client)
            if not cell:
                continue
            ours = select(loaded, load=name, client="PiuPiu")
            rows.append([
                name, cell[0]["in_flight"], client, *(spread(cell, k) for k in ("rate", "cpu_us", "p99_ms", "peak_mib")),
                *("" if client == "PiuPiu" else ratio(ours, cell, k) for k in ("rate", "cpu_us")),
            ])
    yield from table(
        ["Load", "In flight", "Client", "Requests/s", "CPU per request, µs", "p99, ms", "Peak memory, MiB",
         "PiuPiu's rate / its", "PiuPiu's CPU / its"],
        rows,
    )
    yield "1 GiB for one client, the bytes that the upstream has sent while the client does not read, and the time from when a"
    yield "client closes its connection until the upstream sees that its own is closed:"
    yield ""
    rows = []
    ours = select(records, load="1 GiB", client="PiuPiu")
    for client in unique(records, "client"):
        large, held = (select(records, load=load, client=client) for load in ("1 GiB", "hold"))
        if not large:
            continue
        is_ours = client == "PiuPiu"
        rows.append([
            client, spread(large, "wall_ms"), spread(large, "cpu_ms"), spread(large, "growth_mib"),
            spread(held, "held_mib"), spread(held, "closed_ms"),
            *("" if is_ours else ratio(ours, large, key) for key in ("wall_ms", "cpu_ms")),
        ])
    yield from table(
        ["Client", "1 GiB: wall, ms", "CPU, ms", "Growth of memory, MiB", "Held back at, MiB", "Closed after, ms",
         "PiuPiu's wall / its", "PiuPiu's CPU / its"],
        rows,
    )


def footprint():
    _, records = load("footprint")
    if not records:
        return
    yield "## Footprint"
    yield ""
    yield "A program that sends one GET, built for release from nothing after the packages were fetched, and stripped."
    yield "The Swift libraries are linked dynamically."
    yield ""
    rows = []
    for client in unique(records, "client"):
        cell = select(records, client=client)
        rows.append([
            client, spread(cell, "build_s"), spread(cell, "build_cpu_s"), spread(cell, "peak_mib"), spread(cell, "size_kib"),
            spread_whole(cell),
        ])
    yield from table(
        ["Client", "Build, s", "CPU of the build, s", "Largest compiler, MiB", "Executable, KiB", "Packages"], rows)


def spread_whole(records):
    return records[0]["packages"] if records else "–"
