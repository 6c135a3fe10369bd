"""Cases of websockets with our server: a client of the default wire protocol, and of its numbered messages, that is written
after docs/wire-protocol.md.
"""
import asyncio
import contextlib
import json
import secrets

import websockets

from cases import PORT, Control, case, equal, run, until

control = Control("json")
numbered = Control("numbered")
SUBPROTOCOL = "swift-net.json.v1"


class Peer:
    """One connection: replies by their ID, and everything else in order."""

    def __init__(self, socket):
        self.socket = socket
        self.ids = 0
        self.waiting = {}
        #: Messages that answer nothing.
        self.others = []
        #: The numbers of the server's messages, as they came.
        self.numbers = []
        self.reader = asyncio.create_task(self._read())

    async def _read(self):
        with contextlib.suppress(websockets.ConnectionClosed):
            async for text in self.socket:
                message = json.loads(text)
                if "seq" in message:
                    self.numbers.append(message["seq"])
                reply = self.waiting.pop(message.get("requestId"), None)
                if reply is None:
                    self.others.append(message)
                else:
                    reply.set_result(message)

    async def send(self, event, **members):
        await self.socket.send(json.dumps({**members, "event": event}))

    async def ask(self, event, payload=None, **members):
        """Sends a command and returns its reply."""
        self.ids += 1
        name = str(self.ids)
        self.waiting[name] = reply = asyncio.get_running_loop().create_future()
        if payload is not None:
            members["payload"] = payload
        await self.send(event, requestId=name, **members)
        return await asyncio.wait_for(reply, 5)

    async def join(self, topic, payload=None, **members):
        return await self.ask("channel.join", {"topic": topic, **(payload or {})}, channel=topic, **members)

    async def leave(self, topic):
        return await self.ask("channel.leave", {"topic": topic}, channel=topic)

    def named(self, event):
        return [message for message in self.others if message["event"] == event]

    async def wait(self, event, count=1):
        await until(lambda: len(self.named(event)) >= count, event)
        return self.named(event)[count - 1]

    async def ended(self):
        """Waits until the connection has ended, and returns the code."""
        await asyncio.wait_for(self.socket.wait_closed(), 5)
        return self.socket.close_code


@contextlib.asynccontextmanager
async def connected(path="json?token=ada", **settings):
    async with websockets.connect(f"ws://127.0.0.1:{PORT}/{path}", proxy=None, **settings) as socket:
        yield Peer(socket)


def failure(reply):
    equal(reply["status"], "error")
    error = reply["payload"]["error"]
    return error["code"], error["message"]


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


@case("commands are answered in the order of their handlers")
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


@case("what is no message of the protocol is survived")
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
        # The sender is left out.
        equal(peer.others, [])
        equal((await other.leave("room:1"))["status"], "ok")
        await peer.ask("shout", {"text": "again"}, channel="room:1")
        equal((await other.ask("echo", 1))["payload"], 1)
        equal(len(other.named("news")), 1)


@case("a join with a payload, which is answered by one")
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


# MARK: Numbered messages

def resuming():
    return connected("numbered?token=ada", subprotocols=[SUBPROTOCOL])


@case("numbered: only where both ends agree")
async def agreement():
    async with resuming() as peer:
        equal(peer.socket.subprotocol, SUBPROTOCOL)
    async with connected("numbered?token=ada") as peer:
        equal(peer.socket.subprotocol, None)
        equal((await peer.ask("echo", 1))["payload"], 1)
        # Without an agreement, this is a command like others.
        await peer.send("session.resume", sessionId="x", received=0)
        equal((await peer.ask("echo", 2))["payload"], 2)
        equal(peer.named("session.resumed"), [])


async def resume(peer, name, epoch=None, received=0):
    known = {} if epoch is None else {"epoch": epoch}
    await peer.send("session.resume", sessionId=name, received=received, **known)
    return await peer.wait("session.resumed")


@case("numbered: replies and pushes count up, commands are acknowledged")
async def counts():
    async with resuming() as peer:
        resumed = await resume(peer, secrets.token_hex(16))
        equal(resumed["received"], 0)
        await peer.join("room:numbered")
        for number in range(1, 41):
            reply = await peer.ask("echo", number, seq=number)
            equal((reply["payload"], reply["seq"]), (number, number))
        await peer.send("session.ack", received=40)
        await numbered.say("push", topic="room:numbered", event="news", payload={})
        await peer.wait("news")
        equal(peer.numbers, list(range(1, 42)))
        # After 32 messages or after some time, everything was acknowledged.
        await until(lambda: peer.named("session.ack") and peer.named("session.ack")[-1]["received"] == 40, "the ack")


@case("numbered: what was sent twice is handled once")
async def doubles():
    async with resuming() as peer:
        await resume(peer, secrets.token_hex(16))
        first = (await peer.ask("count", seq=1))["payload"]
        await peer.send("count", requestId="again", seq=1)
        equal((await peer.ask("count", seq=2))["payload"], first + 1)
        equal([message for message in peer.others if message.get("requestId") == "again"], [])


@case("numbered: a session goes on after a cut, with what was not acknowledged")
async def goes_on():
    name = secrets.token_hex(16)
    async with resuming() as peer:
        epoch = (await resume(peer, name))["epoch"]
        await peer.join("room:kept")
        await peer.ask("echo", 1, seq=1)
        await numbered.cut()
        await peer.ended()
    # Pushes while nobody is there.
    for number in range(2):
        await numbered.say("push", topic="room:kept", event="news", payload={"number": number})
    async with resuming() as peer:
        resumed = await resume(peer, name, epoch, received=0)
        equal((resumed["epoch"], resumed["received"]), (epoch, 1))
        await peer.wait("news", 2)
        # The reply comes again, too.
        equal(peer.numbers, [1, 2, 3])
        equal((await peer.ask("echo", 2, seq=2))["seq"], 4)


@case("numbered: a session that the server doesn't know")
async def unknown_session():
    async with resuming() as peer:
        resumed = await resume(peer, secrets.token_hex(16), "an-epoch-of-old", received=7)
        equal((resumed["epoch"] == "an-epoch-of-old", resumed["received"]), (False, 0))
        equal((await peer.ask("echo", 1, seq=1))["seq"], 1)


@case("numbered: another user's session isn't taken over")
async def stolen():
    name = secrets.token_hex(16)
    async with resuming() as peer:
        epoch = (await resume(peer, name))["epoch"]
        await peer.ask("echo", 1, seq=1)
        async with connected("numbered?token=bob", subprotocols=[SUBPROTOCOL]) as thief:
            await thief.send("session.resume", sessionId=name, epoch=epoch, received=0)
            await asyncio.sleep(0.2)
            equal([message for message in thief.others if message.get("epoch") == epoch], [])
        equal((await peer.ask("echo", 2, seq=2))["payload"], 2)


@case("numbered: a hole in the numbers ends the session")
async def hole():
    async with resuming() as peer:
        await resume(peer, secrets.token_hex(16))
        await peer.send("echo", seq=5, payload=1)
        await peer.ended()


@case("numbered: a newer connection replaces the older one")
async def replaced():
    name = secrets.token_hex(16)
    async with resuming() as peer, resuming() as newer:
        epoch = (await resume(peer, name))["epoch"]
        await peer.ask("echo", 1, seq=1)
        equal((await resume(newer, name, epoch, received=1))["received"], 1)
        await peer.ended()
        equal((await newer.ask("echo", 2, seq=2))["seq"], 2)


# MARK: Channels that recover

@case("recovery: positions, and what was missed")
async def recovery():
    topic = f"history:{secrets.token_hex(4)}"
    async with resuming() as peer:
        joined = await peer.join(topic)
        equal(joined["offset"], 0)
        await numbered.say("push", topic=topic, event="news", payload={"number": 1})
        equal((await peer.wait("news"))["offset"], 1)
    for number in [2, 3]:
        await numbered.say("push", topic=topic, event="news", payload={"number": number})
    async with resuming() as peer:
        again = await peer.join(topic, recover={"epoch": joined["epoch"], "offset": 1})
        equal((again["epoch"], again["offset"], again["recovered"]), (joined["epoch"], 3, True))
        equal([(each["offset"], each["payload"]) for each in again["missed"]], [(2, {"number": 2}), (3, {"number": 3})])
        await numbered.say("push", topic=topic, event="news", payload={"number": 4})
        equal((await peer.wait("news"))["offset"], 4)


@case("recovery: another epoch, or more than is kept")
async def no_recovery():
    topic = f"history:{secrets.token_hex(4)}"
    async with resuming() as peer:
        joined = await peer.join(topic)
        again = await peer.join(topic, recover={"epoch": "another", "offset": 0})
        equal((again["recovered"], again.get("missed", [])), (False, []))
        for number in range(15):
            await numbered.say("push", topic=topic, event="news", payload={"number": number})
        await peer.wait("news", 15)
        again = await peer.join(topic, recover={"epoch": joined["epoch"], "offset": 1})
        equal((again["recovered"], again["offset"]), (False, 15))


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
