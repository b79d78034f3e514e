"""Futures: each shape, beside a task, the main queue's hops, and the futures of others."""
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
