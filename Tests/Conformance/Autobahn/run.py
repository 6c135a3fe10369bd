#!/usr/bin/env python3
"""Runs Autobahn's WebSocket cases against a client or a server. Called by scripts/conformance.d/autobahn.

kosoku runs the case files of the Autobahn test suite (https://github.com/curioswitch/kosoku): as the server that a client
under test connects to, or as the client of a server under test. `--url` names another peer instead: for a client, a fuzzing
server with Autobahn's endpoints, which must report its verdicts at /getCaseStatus; for a server, an echo server under test.
"""
import argparse
import asyncio
import json
import os
import signal
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from programs import Program, Progress  # noqa: E402
from suite import matching_ids, read_offers_like_autobahn  # noqa: E402
from verdicts import Verdict, report  # noqa: E402

AGENT = "swift-net"
#: Limits in seconds: for one case, for the start of a server, and for the whole run. Autobahn allows 480 s for its longest cases;
#: they take 15 s with a peer in Python.
CASE_LIMIT = int(os.environ.get("NET_AUTOBAHN_CASE_SECONDS", 300))
START_LIMIT = 30
LIMIT = int(os.environ.get("NET_AUTOBAHN_SECONDS", 3600))


def die(message):
    print(f"autobahn: {message}", file=sys.stderr)
    sys.exit(1)


def choose(patterns):
    """Returns the ids of the cases to run."""
    try:
        return matching_ids(patterns)
    except ValueError as error:
        die(error)


async def follow(program, names=()):
    """Reads the output of a client under test, a line of JSON after each case, until it ends or gets stuck."""
    rows, progress = [], Progress()
    try:
        while (line := await program.line(CASE_LIMIT + 60)) is not None:
            row = json.loads(line)
            rows.append(row)
            name = row.get("id") or (names[row["case"] - 1] if len(names) == row["of"] else row["case"])
            progress.show(row["case"], row["of"], name)
        code = await program.exit_code(5)
        if code:
            print(f"the client ended with exit code {code} after {len(rows)} cases", flush=True)
    except asyncio.TimeoutError:
        print(f"the client is stuck after {len(rows)} cases", flush=True)
    return rows


async def end_run(server):
    """Ends a run of kosoku's server like a client that has run every case; for clients that haven't."""
    reader, writer = await asyncio.open_connection(server.address, server.port)
    writer.write(b"GET /updateReports HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n")
    await writer.drain()
    await reader.read()
    writer.close()


async def collect(server):
    """Returns the results of kosoku's server, once its client has ended."""
    import kosoku
    results = asyncio.ensure_future(server.get_result())
    await asyncio.wait([results], timeout=2)
    if not results.done():
        await end_run(server)
    try:
        return await asyncio.wait_for(results, 30)
    except kosoku.FailureError as failure:
        return failure.results
    except asyncio.TimeoutError:
        die("kosoku's server doesn't end the run")


async def test_client(command, patterns):
    """Runs our client against kosoku's server."""
    import kosoku
    ids = choose(patterns)
    read_offers_like_autobahn()
    async with kosoku.run_fuzzingserver(ids, port=0) as server:
        async with Program(command, f"ws://{server.address}:{server.port}", AGENT) as program:
            await follow(program, ids)
        found = {result.case_id: Verdict.of(result) for result in await collect(server)}
    return [found.get(case) or Verdict(case, detail="the client didn't run it to its end") for case in ids]


async def test_client_elsewhere(command, patterns, url):
    """Runs our client against another fuzzing server, and requests its verdicts."""
    async with Program(command, "--verdicts", url, AGENT, *patterns) as program:
        rows = await follow(program)
    if not rows:
        die(f"{url} gave no case to run")
    verdicts = [Verdict(row["id"], row["behavior"], "", row.get("detail", ""), row["milliseconds"]) for row in rows]
    return verdicts + [Verdict(f"no. {number}", detail="the client didn't run it")
                       for number in range(len(rows) + 1, rows[0]["of"] + 1)]


async def run_case(url, case):
    """Runs one case as kosoku's client. Each case is a separate run, since a run has neither a time limit nor progress."""
    import kosoku
    try:
        results = await asyncio.wait_for(kosoku.run_fuzzingclient(url, [case]), CASE_LIMIT)
    except kosoku.FailureError as failure:
        results = failure.results
    except asyncio.TimeoutError:
        return Verdict(case, detail=f"it took longer than {CASE_LIMIT} s")
    except ValueError as error:
        die(error)
    return Verdict.of(results[-1])


async def test_server(url, patterns, has_ended=lambda: False):
    """Runs kosoku's client against the echo server at `url`."""
    ids, verdicts, progress = choose(patterns), [], Progress()
    for case in ids:
        if has_ended():
            verdicts.append(Verdict(case, detail="the server has ended"))
            continue
        verdicts.append(await run_case(url, case))
        progress.show(len(verdicts), len(ids), case)
    return verdicts


async def test_own_server(command, patterns):
    """Starts our echo server on a free port and tests it."""
    async with Program(command, "echo-server", "--port", "0") as program:
        try:
            line = await program.line(START_LIMIT)
        except asyncio.TimeoutError:
            line = None
        if not line or not line.startswith("listening on "):
            die(f"the echo server doesn't say where it listens, but: {line}")
        return await test_server("ws://" + line.removeprefix("listening on "), patterns, lambda: program.has_ended)


async def run(options):
    # Signals cancel this task, so that its blocks end the programs that they started.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, asyncio.current_task().cancel)
    patterns = [pattern for pattern in options.cases.split(",") if pattern]
    if options.role == "client":
        work = (test_client_elsewhere(options.program, patterns, options.url.rstrip("/")) if options.url
                else test_client(options.program, patterns))
    else:
        work = test_server(options.url, patterns) if options.url else test_own_server(options.program, patterns)
    try:
        return await asyncio.wait_for(work, LIMIT)
    except asyncio.TimeoutError:
        die(f"not done after {LIMIT} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--role", choices=["client", "server"], required=True)
    parser.add_argument("--program", help="conformance-autobahn or net-lab")
    parser.add_argument("--url", default="")
    parser.add_argument("--cases", default="", help="patterns of ids, separated by commas")
    parser.add_argument("--exceptions", type=Path, required=True, help="the document that lists NON-STRICT cases")
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    try:
        return report(asyncio.run(run(options)), options.role, options.exceptions, options.json)
    except asyncio.CancelledError:
        return 130


if __name__ == "__main__":
    try:
        code = main()
    except SystemExit as exit:
        code = exit.code
    sys.stdout.flush()
    # Not by `sys.exit`: a case that took too long still runs on a thread of kosoku.
    os._exit(code or 0)
