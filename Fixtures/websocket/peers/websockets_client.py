"""Cases of websockets with our server: a client of the default wire protocol."""
import asyncio
import contextlib

import websockets

from cases import Control, case, equal, run
from default_wire import connected, failure

control = Control("json")


# MARK: The handshake

async def refused(path, **settings):
    try:
        async with connected(path, **settings):
            pass
    except websockets.InvalidStatus as error:
        return error.response.status_code
    raise AssertionError("it was not refused")


@case("the credentials are wrong")
async def wrong_credentials():
    equal(await refused("json?token=wrong"), 401)


@case("the credentials are in the header")
async def header():
    async with connected("json", additional_headers={"Authorization": "Bearer ada"}) as peer:
        equal((await peer.ask("whoami"))["payload"], {"name": "ada"})


@case("a path that nobody serves")
async def unserved():
    equal(await refused("nowhere?token=ada"), 404)


@case("compression")
async def compression():
    async with connected() as peer:
        equal([type(each).__name__ for each in peer.socket.protocol.extensions], ["PerMessageDeflate"])
        text = "Grüße " * 10_000
        equal((await peer.ask("echo", text))["payload"], text)
    async with connected(compression=None) as peer:
        equal(peer.socket.protocol.extensions, [])
        equal((await peer.ask("echo", text))["payload"], text)


# MARK: Commands and pushes

@case("a command and its reply")
async def command():
    async with connected() as peer:
        reply = await peer.ask("echo", {"text": "Grüße \N{GRINNING FACE}", "numbers": [1, 2.5, None]})
        equal(reply, {"event": "echo", "requestId": "1", "status": "ok",
                      "payload": {"text": "Grüße \N{GRINNING FACE}", "numbers": [1, 2.5, None]}})
        # A payload may be missing.
        equal((await peer.ask("whoami"))["payload"], {"name": "ada"})


@case("replies come in the order of the handlers")
async def commands():
    async with connected() as peer:
        replies = await asyncio.gather(*(peer.ask("echo", number) for number in range(200)))
        equal([reply["payload"] for reply in replies], list(range(200)))


@case("a command is refused")
async def command_refused():
    async with connected() as peer:
        equal(failure(await peer.ask("refuse", {})), ("42", "not for you"))
        code, _ = failure(await peer.ask("unheard", {}))
        equal(code != "", True)
        code, _ = failure(await peer.ask("typed", {"number": "text"}))
        equal(code, "invalid_payload")
        equal((await peer.ask("typed", {"number": 7}))["payload"], {"number": 8})


@case("a command without a reply")
async def notification():
    async with connected() as peer:
        await control.forget()
        await peer.send("echo", payload={"text": "quiet"})
        await control.heard('notify echo {"text": "quiet"}')
        equal((await peer.ask("echo", 1))["payload"], 1)
        equal(peer.others, [])


@case("a push to one connection, and to all of a user")
async def pushes():
    async with connected("json?token=bob") as one, connected("json?token=bob") as other, connected() as third:
        await one.ask("hello", {"text": "only here"})
        await one.wait("news")
        await control.say("user", topic="bob", event="news", payload={"text": "for bob"})
        await one.wait("news", 2)
        await other.wait("news")
        equal(other.named("news"), [{"event": "news", "payload": {"text": "for bob"}}])
        equal((await third.ask("echo", 1))["payload"], 1)
        equal(third.others, [])


@case("heartbeats")
async def heartbeats():
    async with connected() as peer:
        await peer.send("heartbeat")
        await peer.wait("heartbeat")
        pong = await peer.socket.ping(b"1")
        await asyncio.wait_for(pong, 5)


@case("messages that aren't part of the protocol don't end the connection")
async def unreadable():
    async with connected() as peer:
        for text in ["no JSON", "[]", '{"payload":{}}', '{"event":7}', '{"event":"echo","requestId":' + "[" * 600]:
            await peer.socket.send(text)
        await peer.socket.send(b"\x00\x01")
        equal((await peer.ask("echo", 1))["payload"], 1)


@case("a message in many frames")
async def fragments():
    async with connected() as peer:
        parts = ['{"event":"ec', 'ho","requestId":"f","payl', 'oad":"Grü', 'ße"}']
        peer.waiting["f"] = reply = asyncio.get_running_loop().create_future()
        await peer.socket.send(parts)
        equal((await asyncio.wait_for(reply, 5))["payload"], "Grüße")


# MARK: Channels

@case("join, push, leave")
async def channel():
    async with connected() as peer, connected("json?token=bob") as other:
        equal((await peer.join("room:1"))["status"], "ok")
        equal((await other.join("room:1"))["channel"], "room:1")
        reply = await peer.ask("shout", {"text": "hello"}, channel="room:1")
        equal((reply["status"], reply["channel"]), ("ok", "room:1"))
        push = await other.wait("news")
        equal(push, {"event": "news", "channel": "room:1", "payload": {"text": "hello", "from": "ada"}})
        # The sender doesn't get the push.
        equal(peer.others, [])
        equal((await other.leave("room:1"))["status"], "ok")
        await peer.ask("shout", {"text": "again"}, channel="room:1")
        equal((await other.ask("echo", 1))["payload"], 1)
        equal(len(other.named("news")), 1)


@case("a join with a payload, and a payload in its reply")
async def join_payload():
    async with connected() as peer:
        reply = await peer.join("greeted:1", {"role": "member"})
        equal(reply["payload"], {"role": "member"})


@case("a join is refused")
async def join_refused():
    async with connected() as peer:
        equal(failure(await peer.join("room:refused")), ("unauthorized", "members only"))
        # There is no such channel.
        equal((await peer.join("nothing:1"))["status"], "error")
        equal((await peer.join("room:2"))["status"], "ok")


@case("a command to a channel that was not joined")
async def not_joined():
    async with connected() as peer:
        code, _ = failure(await peer.ask("shout", {"text": "hello"}, channel="room:unjoined"))
        equal(code, "not_joined")


@case("the server takes a connection out of a channel")
async def expelled():
    async with connected() as peer:
        await peer.join("room:closed")
        await control.say("left", topic="room:closed", code="kicked", message="be nice")
        left = await peer.wait("channel.left")
        equal((left["channel"], left["payload"]["error"]["code"]), ("room:closed", "kicked"))


@case("pushes of many reach all, in order")
async def many_pushes():
    async with contextlib.AsyncExitStack() as stack:
        peers = [await stack.enter_async_context(connected()) for _ in range(10)]
        for peer in peers:
            await peer.join("room:many")
        for number in range(100):
            await control.say("push", topic="room:many", event="news", payload={"number": number})
        for peer in peers:
            await peer.wait("news", 100)
            equal([push["payload"]["number"] for push in peer.named("news")], list(range(100)))


# MARK: Ends

@case("the server closes a connection, and all of a user")
async def closes():
    async with connected() as peer:
        await control.close(4000)
        equal(await peer.ended(), 4000)
    async with connected("json?token=carl") as one, connected("json?token=carl") as other, connected() as third:
        await control.say("close", topic="carl")
        equal((await one.ended(), await other.ended()), (1008, 1008))
        equal((await third.ask("echo", 1))["payload"], 1)


@case("the client closes")
async def client_closes():
    async with connected() as peer:
        await control.forget()
        await peer.ask("echo", 1)
        await peer.socket.close(1000)
        equal(peer.socket.close_code, 1000)
    await control.heard("gone")


run()
