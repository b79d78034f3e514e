"""The command line, and the order of things."""
import time

from harness import chart, compare, footprint, futures, gate, loads, loops, policies, proxy, report, scale, transfers, websockets
from harness.tools import FOLDER, Failure, Programs, Run

SECTIONS = {
    "requests": loads.run,
    "transfers": transfers.run,
    "scale": scale.run,
    "loops": loops.run,
    "futures": futures.run,
    "policies": policies.run,
    "websockets": websockets.run,
    "proxy": proxy.run,
    "footprint": footprint.run,
}
DEFAULT = ["requests", "transfers", "scale", "loops", "futures", "policies", "websockets"]


def main(arguments, usage):
    if len(arguments) in (2, 3) and arguments[0] == "compare" and arguments[2:] in ([], ["--no-build"]):
        return report_failures(lambda: compare.run(Programs(False, len(arguments) == 2), arguments[1], rounds=9))
    options = {word for word in arguments if word.startswith("-")}
    sections = [word for word in arguments if not word.startswith("-")] or DEFAULT
    unknown = options - {"--smoke", "--no-peers", "--no-build", "--update"}
    if unknown or set(sections) - {*SECTIONS, "gate", "report"}:
        print(usage)
        return 0 if unknown <= {"-h", "--help"} and unknown else 2
    smoke = "--smoke" in options
    peers = not smoke and "--no-peers" not in options
    try:
        measured = [name for name in sections if name in SECTIONS]
        needs_peers = peers and any(name != "footprint" for name in measured)
        programs = Programs(needs_peers, build="--no-build" not in options and sections != ["report"])
        failures = []
        if "gate" in sections:
            failures += gate.run(programs, update="--update" in options)
        for name in measured:
            start = time.monotonic()
            run = Run(name, programs, smoke, peers)
            SECTIONS[name](run)
            run.save()
            failures += run.failures
            print(f"{name}: {time.monotonic() - start:.0f} s")
        if not smoke and (measured or "report" in sections):
            missed = report.write()
            chart.write()
            failures += missed
            print(f"Written: {FOLDER.name}/RESULTS.md, {FOLDER.name}/RESULTS.svg")
    except Failure as failure:
        failures = [str(failure)]
    return report_failures(lambda: failures)


def report_failures(work):
    try:
        failures = work()
    except Failure as failure:
        failures = [str(failure)]
    for failure in failures:
        print(f"FAILED: {failure}")
    return 1 if failures else 0
