"""Futures: each shape, beside a task, the main queue's hops, and the futures of others; and GETs through the older systems."""
from harness.servers import Nginx
from harness.tools import Failure, lines, output


def run(run):
    seconds = 0.02 if run.smoke else 0.2
    programs = [(True, run.programs["FutureCost"])]
    if run.peers:
        programs.append((False, run.programs.peer("PeerFutures")))
    for number in range(1 if run.smoke else 7):
        print(f"  round {number + 1}", flush=True)
        for place in range(len(programs)):
            ours, program = programs[(place + number) % len(programs)]
            try:
                for line in lines(output([program, f"seconds={seconds}"], 120)):
                    run.add(**line, program=program.name, round=number)
            except Failure as failure:
                run.add(program=program.name, round=number, failed=str(failure))
                run.failures.append(f"futures: {failure}")
    try:
        for line in lines(output([run.programs["FutureCost"], f"memory={1000 if run.smoke else 10_000}"], 60)):
            run.add(**line, round=0)
    except Failure as failure:
        run.failures.append(f"futures: {failure}")
    with Nginx() as nginx:
        length = nginx.length["500.json"]
        for number in range(1 if run.smoke else 7):
            command = [run.programs["LegacyCost"], f"url={nginx.url('http', '500.json')}", f"length={length}"]
            try:
                for line in lines(output(command + [f"count={400 if run.smoke else 8000}"], 120)):
                    run.add(**line, program="LegacyCost", round=number)
            except Failure as failure:
                run.failures.append(f"futures: {failure}")
