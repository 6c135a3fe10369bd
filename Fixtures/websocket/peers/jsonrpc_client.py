"""Cases of jsonrpc-websocket with our end of JSON-RPC 2.0."""
import asyncio
import contextlib

import jsonrpc_base
from jsonrpc_websocket import Server

from cases import PORT, Control, case, equal, run, until

control = Control("jsonrpc")


@contextlib.asynccontextmanager
async def connected(**settings):
    server = Server(f"ws://127.0.0.1:{PORT}/socket", timeout=5, **settings)
    loop = await server.ws_connect()
    try:
        yield server, loop
    finally:
        await server.close()
        await asyncio.wait([loop], timeout=2)


async def refused(call):
    """Returns the code, message and data of a call's error."""
    try:
        await call
    except jsonrpc_base.ProtocolError as error:
        code, message, response = error.args
        return code, message, response["error"].get("data")
    raise AssertionError("it was not refused")


@case("a call by position, by name, and without parameters")
async def calls():
    async with connected() as (server, _):
        equal(await server.echo(1, "Grüße", None), [1, "Grüße", None])
        equal(await server.echo(a=[1.5], b={"c": True}), {"a": [1.5], "b": {"c": True}})
        equal(await server.echo(), None)


@case("a method with a dot in its name")
async def dotted():
    async with connected() as (server, _):
        equal(await server.names.echo("a"), ["a"])


@case("a result that is null")
async def nothing():
    async with connected() as (server, _):
        equal(await server.nothing(), None)


@case("many calls at once")
async def many():
    async with connected() as (server, _):
        found = await asyncio.gather(*(server.echo(number) for number in range(100)))
        equal(found, [[number] for number in range(100)])


@case("a call is refused")
async def call_refused():
    async with connected() as (server, _):
        equal(await refused(server.refuse(1)), (42, "not for you", {"seats": 4}))
        equal(await server.echo(1), [1])


@case("a method that nobody has")
async def unknown():
    async with connected() as (server, _):
        code, message, _ = await refused(server.unheard(1))
        equal((code, message), (-32601, "Method not found"))


@case("a notification of the client")
async def notification():
    async with connected() as (server, _):
        await control.forget()
        await server.echo("quiet", _notification=True)
        await control.heard("notify echo [\"quiet\"]")
        # No response came in between.
        equal(await server.echo(1), [1])


@case("a notification of the server")
async def server_notification():
    async with connected() as (server, _):
        found = []
        server.news = lambda *args, **named: found.append((args, named))
        await server.echo()
        await control.say("push", event="news", payload=[1, "Grüße"])
        await control.say("push", event="news", payload={"a": 1})
        await control.say("push", event="news")
        await until(lambda: len(found) == 3, "the notifications")
        equal(found, [((1, "Grüße"), {}), ((), {"a": 1}), ((), {})])


@case("a call of the server", wire_only=True)
async def server_call():
    async with connected() as (server, _):
        server.sum = lambda *numbers: sum(numbers)
        await server.echo()
        await control.forget()
        await control.say("request", id="7", event="sum", payload=[1, 2, 3])
        equal(await control.heard("reply 7 "), "reply 7 ok 6")
        await control.say("request", id="8", event="unheard")
        equal(await control.heard("reply 8 "), "reply 8 error -32601: Method not found")


@case("a large call")
async def large():
    async with connected() as (server, _):
        text = "Grüße " * 50_000
        equal(await server.echo(text), [text])


@case("a connection that is cut")
async def cut():
    async with connected() as (server, loop):
        await server.echo()
        await control.cut()
        await asyncio.wait([loop], timeout=5)
        equal((loop.done(), server.connected), (True, False))
        # The same client connects again.
        again = await server.ws_connect()
        equal(await server.echo(1), [1])
        await server.close()
        await asyncio.wait([again], timeout=2)


@case("a connection that is closed")
async def closed():
    async with connected() as (server, loop):
        await server.echo()
        await control.close(1012)
        await asyncio.wait([loop], timeout=5)
        equal(server.connected, False)


@case("the client closes")
async def closes():
    async with connected() as (server, _):
        await server.echo()
        await control.forget()
    await control.heard("gone")


run()
