"""Autobahn's cases, as kosoku serves them to a client.

    python fuzzing_server.py REPORT_FILE PORT CASE ...

Prints the port, and writes the results as JSON when the client has asked for updated reports.
"""
import asyncio
import json
import sys

from kosoku import FailureError, run_fuzzingserver


async def main() -> None:
    async with run_fuzzingserver(sys.argv[3:] or None, port=int(sys.argv[2])) as server:
        print(server.port, flush=True)
        try:
            results = await server.get_result()
        except FailureError as failure:
            results = failure.results
    rows = [
        {
            "case": result.case_id, "index": result.case_index, "behavior": result.behavior.value,
            "close": result.behavior_close.value, "text": result.result, "close_text": result.result_close,
            "duration": result.duration, "expectation": result.expectation, "code": result.remote_close_code,
            "unclean": result.was_not_clean_reason, "request": result.http_request, "response": result.http_response,
            "wirelog": repr(result.wirelog)[:4000], "received": repr(result.received)[:1000],
            "expected": repr(result.expected)[:1000],
        }
        for result in results
    ]
    with open(sys.argv[1], "w") as file:
        json.dump(rows, file)


asyncio.run(main())
