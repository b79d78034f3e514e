"""Event loops: one and two, each with its own tasks, in turns."""
from harness import loads
from harness.servers import Nginx

COUNTS = (1, 2)


def run(run):
    with Nginx() as server:
        for number in range(1 if run.smoke else 9):
            print(f"  round {number + 1}", flush=True)
            for place in range(len(COUNTS)):
                count = COUNTS[(place + number) % len(COUNTS)]
                run.attempt(
                    True,
                    lambda: loads.measure(
                        LOOP, run.programs["Load"], server, "http", "GET 500 B", 64, 0.05 if run.smoke else 0.7, count),
                    client=LOOP, loops=count, in_flight=64, round=number,
                )


LOOP = "PiuPiu on the loop"
