"""What the hot paths ask of the allocator, against a baseline that is committed."""
import json

from harness.servers import StubServer
from harness.tools import FOLDER, libcurl_version, lines, output, swift_version

BASELINE = FOLDER / "gate.json"
# They are whole numbers, so one allocation more in each operation is enough.
ALLOCATIONS = 0.5
BYTES = 0.03
# Another compiler or libcurl allocates otherwise; then only large changes are told from theirs.
ELSEWHERE = 0.15


def run(programs, update):
    """Gives what is worse than the baseline."""
    tools = {"Swift": swift_version(), "libcurl": libcurl_version()}
    measured = {}
    with StubServer(programs) as server:
        # Chance can only add, so the fewest of three runs count.
        for _ in range(3):
            for line in lines(output([programs["Gate"], server.port], 120)):
                known = measured.setdefault(line["path"], {"allocations": line["allocations"], "bytes": line["bytes"]})
                for key in known:
                    known[key] = min(known[key], line[key])
    if update:
        BASELINE.write_text(json.dumps({"tools": tools, "paths": measured}, indent=2) + "\n")
        print(f"Written: {BASELINE.name}")
    baseline = json.loads(BASELINE.read_text())
    same = baseline["tools"] == tools
    if not same:
        print(f"The baseline is of {baseline['tools']}, this is {tools}: {ELSEWHERE:.0%} more is allowed.")
    failures = []
    for path, known in baseline["paths"].items():
        now = measured.get(path)
        if now is None:
            failures.append(f"gate: {path} was not measured")
            continue
        for key, limit in (
            ("allocations", known["allocations"] + ALLOCATIONS if same else known["allocations"] * (1 + ELSEWHERE) + 1),
            ("bytes", known["bytes"] * (1 + (BYTES if same else 2 * ELSEWHERE)) + 16),
        ):
            result = "ok" if now[key] <= limit else "TOO MUCH"
            print(f"  {path:26} {key:12} {now[key]:8.1f}   baseline {known[key]:8.1f}   limit {limit:8.1f}   {result}")
            if now[key] > limit:
                failures.append(f"gate: {path}: {now[key]:.2f} {key}, the limit is {limit:.2f}")
            elif same and now[key] < known[key] - (ALLOCATIONS if key == "allocations" else known[key] * BYTES + 16):
                print("    less than the baseline: `Benchmarks/run gate --update` keeps it")
    return failures
