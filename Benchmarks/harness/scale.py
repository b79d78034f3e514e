"""Many requests in flight against a server that answers late."""
from harness.servers import StubServer
from harness.tools import Failure, lines, output

# In flight, how late the server answers in milliseconds (later than all are sent), batches after the first.
SIZES = [(100, 250, 10), (1000, 800, 3), (5000, 2500, 2)]


def run(run):
    clients = [("PiuPiu", run.programs["Load"])]
    if run.peers:
        clients.append(("async-http-client", run.programs.peer("PeerLoad")))
    with StubServer(run.programs) as server:
        for count, delay, batches in SIZES[:2] if run.smoke else SIZES:
            print(f"  {count} in flight", flush=True)
            for number in range(1 if run.smoke else 3):
                for place in range(len(clients)):
                    name, program = clients[(place + number) % len(clients)]
                    run.attempt(
                        True, lambda: measure(server, name, program, count, delay, batches, run.smoke),
                        in_flight=count, client=name, round=number,
                    )


def measure(server, name, program, count, delay, batches, smoke):
    server.most()
    command = [
        program, f"client={name}", "kind=in-flight", f"url={server.url(delay)}", "length=500", f"count={count}",
        f"batches={1 if smoke else batches}", "loops=1",
    ]
    found = lines(output(command, 90))
    most = server.most()
    # On a machine that is slow just now, a smoke has nothing to say about that.
    if most < count and not smoke:
        raise Failure(f"{name}: only {most} of {count} were in flight at once")
    return {"memory_kib": found[0]["memory_kib"], "cpu_us": found[0]["cpu_us"], "at_once": most}
