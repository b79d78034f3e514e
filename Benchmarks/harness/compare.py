"""This checkout beside another one, in turns: what a change costs, cell by cell."""
from pathlib import Path

from harness import loads, scale, transfers
from harness.servers import KINDS, Nginx, StubServer
from harness.tools import Failure, lines, median, output, versions

# Less than this is lost in the noise of a machine that does other things too.
LIMIT = 1.05


class Other:
    """The programs of another checkout, where they were built."""

    def __init__(self, folder):
        self.folder = Path(folder) / "Benchmarks" / ".build" / "release"
        if not (self.folder / "Load").exists():
            raise Failure(f"{self.folder} has no programs: build Benchmarks there with `swift build -c release`")

    def __getitem__(self, name):
        return self.folder / name


def run(programs, folder, rounds):
    """Prints a row for each cell, and gives those that are over the limit."""
    other = Other(folder)
    print(f"this checkout beside {folder}, {rounds} rounds; {versions()}")
    print("| cell | processor time | elapsed time |\n|---|---:|---:|")
    rows = [*requests(programs, other, rounds), *files(programs, other, rounds), *many(programs, other, rounds)]
    rows += chains(programs, other, rounds)
    worse = [(cell, cpu) for cell, cpu in rows if cpu and cpu > LIMIT]
    print(f"{len(rows)} cells, {len(worse)} over {LIMIT}")
    return [f"{cell}: {cpu:.3f} times the processor time" for cell, cpu in worse]


def turns(cell, rounds, ours, theirs, cpu, elapsed):
    """Measures both in turns. The median of the rounds' ratios leaves out what disturbed one of them."""
    pairs = []
    for number in range(rounds + 1):
        if number % 2:
            now, before = ours(), theirs()
        else:
            before, now = theirs(), ours()
        # The first round only warms up.
        if number:
            pairs.append((now, before))
    ratio = {
        key: median([now[key] / before[key] for now, before in pairs if now.get(key) and before.get(key)])
        for key in (cpu, elapsed) if key
    }
    shown = [f"{ratio[key]:.3f}" if ratio.get(key) else "" for key in (cpu, elapsed)]
    print(f"| {cell} | {shown[0]} | {shown[1]} |", flush=True)
    return cell, ratio.get(cpu)


def requests(programs, other, rounds):
    with Nginx() as server:
        for kind in KINDS:
            for load in loads.LOADS:
                for in_flight in (1, 32, 256):
                    yield turns(
                        f"{kind} {load}, {in_flight} in flight", rounds,
                        lambda: loads.measure("PiuPiu", programs["Load"], server, kind, load, in_flight, 0.3),
                        lambda: loads.measure("PiuPiu", other["Load"], server, kind, load, in_flight, 0.3),
                        "cpu_us", "latency_us",
                    )


def files(programs, other, rounds):
    size = 256 << 20
    with Nginx() as server:
        transfers.prepare(server, size)
        for kind in transfers.KINDS:
            def measure(side):
                return transfers.measure(programs, server, "PiuPiu", side["Load"], kind, size)

            yield turns(
                f"{kind} {size >> 20} MiB", max(3, rounds // 2),
                lambda: measure(programs), lambda: measure(other), "transfer_cpu_ms", "transfer_ms",
            )


def many(programs, other, rounds):
    with StubServer(programs) as server:
        for count, delay, batches in scale.SIZES[:2]:
            def measure(side):
                return scale.measure(server, "PiuPiu", side["Load"], count, delay, batches, False)

            cell, cpu = turns(
                f"{count} in flight at once; memory in place of elapsed time", max(3, rounds // 3),
                lambda: measure(programs), lambda: measure(other), "cpu_us", "memory_kib",
            )
            yield cell, cpu


def chains(programs, other, rounds):
    def measure(side):
        found = lines(output([side["FutureCost"], "seconds=0.2"], 120))
        cpu = {r["contestant"]: r["cpu_us"] for r in found if r["shape"] == "3 thens"}
        return {"ratio": cpu["PiuPiu"] / cpu["Task"]}

    yield turns(
        "a future with three thens, times a task", rounds, lambda: measure(programs), lambda: measure(other),
        "ratio", None,
    )
