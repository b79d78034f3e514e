"""Policies: what they add to the processor time of a GET, beside a dispatcher without policies."""
from harness.servers import Nginx
from harness.tools import Failure, lines, output


def run(run):
    with Nginx() as nginx:
        length = nginx.length["500.json"]
        command = [run.programs["PolicyCost"], f"url={nginx.url('http', '500.json')}", f"length={length}"]
        command += [f"count={400 if run.smoke else 20_000}", f"turns={10 if run.smoke else 100}"]
        # Twice as many as there are sets, each of which begins twice.
        for number in range(1 if run.smoke else 14):
            print(f"  round {number + 1}", flush=True)
            try:
                for line in lines(output([*command, f"first={number}"], 120)):
                    run.add(**line, round=number)
            except Failure as failure:
                run.failures.append(f"policies: {failure}")
