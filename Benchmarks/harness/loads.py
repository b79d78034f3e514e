"""Requests: every client, in turns, with the same loop."""
from harness.servers import KINDS, Nginx
from harness.tools import Failure, lines, output

LOADS = {
    "GET 500 B": ("get", "500.json"), "GET 10 KiB": ("get", "10k.json"), "GET 1 MiB": ("get", "1m.json"),
    "POST 10 KiB": ("post", "post"),
}
DECODE = ("GET 10 KiB + Decodable", ("decode", "records.json"))
# What floors are about is measured longer and more often.
JUDGED = {("http", "GET 500 B", 32), ("http", "GET 500 B", 1), ("h2", "GET 500 B", 100)}


def cells(smoke):
    """Protocol, load, in flight, rounds, seconds."""
    for kind in KINDS:
        for load in LOADS:
            for in_flight in (1, 32) if smoke else (1, 32, 256):
                if (kind, load, in_flight) not in JUDGED:
                    yield kind, load, in_flight, *((1, 0.05) if smoke else (3, 0.25))
    for kind, load, in_flight in sorted(JUDGED):
        yield kind, load, in_flight, *((1, 0.05) if smoke else (9, 0.7))
    for in_flight in (1, 32):
        yield "http", DECODE[0], in_flight, *((1, 0.05) if smoke else (5, 0.3))


def run(run):
    names = output([run.programs["Load"], "clients"], 20).splitlines()
    clients = [(name, run.programs["Load"]) for name in names] + [("C loop", run.programs["CurlLoop"])]
    if run.peers:
        clients.append(("async-http-client", run.programs.peer("PeerLoad")))
    with Nginx() as server:
        for kind, load, in_flight, rounds, seconds in cells(run.smoke):
            print(f"  {kind} {load} {in_flight} in flight", flush=True)
            missing = set()
            for number in range(rounds):
                # No client is always first.
                for place in range(len(clients)):
                    name, program = clients[(place + number) % len(clients)]
                    if name in missing or (name == "C loop" and load == DECODE[0]):
                        continue
                    known = len(run.records)
                    run.attempt(
                        # `URLSession` on Linux can hang forever, as it did when one of 32 requests failed; that is only shown.
                        "URLSession" not in name,
                        lambda: measure(name, program, server, kind, load, in_flight, seconds),
                        protocol=kind, load=load, in_flight=in_flight, client=name, round=number,
                    )
                    if "failed" in run.records[known]:
                        # Once is enough to know, and may have taken long.
                        missing.add(name)


def measure(name, program, server, kind, load, in_flight, seconds, loops=1):
    verb, path = dict([*LOADS.items(), DECODE])[load]
    length = server.length.get(path, 500)
    connections = 2 if kind == "h2" else in_flight
    limit = 15 + 4 * seconds
    if name == "C loop":
        environment = {"CONNECTIONS": str(connections)}
        if kind == "h2":
            environment["HTTP2"] = "1"
        if verb == "post":
            environment["POST"] = "10240"
        command = [program, in_flight, seconds, length, server.url(kind, path), server.certificate]
        found = lines(output(command, limit, environment))
    else:
        command = [
            program, f"client={name}", f"kind={verb}", f"url={server.url(kind, path)}", f"length={length}",
            f"in-flight={in_flight}", f"seconds={seconds}", f"connections={connections}", f"loops={loops}",
            f"probe={server.url(kind, 'protocol')}", *([f"ca={server.certificate}"] if kind != "http" else []),
            *(["http2"] if kind == "h2" else []),
        ]
        found = lines(output(command, limit))
    if not found:
        raise Failure(f"{name} printed nothing")
    return {k: v for k, v in found[0].items() if k != "client"}
