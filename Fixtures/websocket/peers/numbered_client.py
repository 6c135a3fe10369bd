"""Cases of websockets with the numbered messages of our server, and with its channels that recover."""
import asyncio
import secrets

from cases import Control, case, equal, run, until
from default_wire import connected

numbered = Control("numbered")
SUBPROTOCOL = "swift-net.json.v1"


def resuming():
    return connected("numbered?token=ada", subprotocols=[SUBPROTOCOL])


@case("only where both ends agree")
async def agreement():
    async with resuming() as peer:
        equal(peer.socket.subprotocol, SUBPROTOCOL)
    async with connected("numbered?token=ada") as peer:
        equal(peer.socket.subprotocol, None)
        equal((await peer.ask("echo", 1))["payload"], 1)
        # Without an agreement, this is a command like any other.
        await peer.send("session.resume", sessionId="x", received=0)
        equal((await peer.ask("echo", 2))["payload"], 2)
        equal(peer.named("session.resumed"), [])


async def resume(peer, name, epoch=None, received=0):
    known = {} if epoch is None else {"epoch": epoch}
    await peer.send("session.resume", sessionId=name, received=received, **known)
    return await peer.wait("session.resumed")


@case("replies and pushes count up, commands are acknowledged")
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
        # After 32 messages or some time, everything has been acknowledged.
        await until(lambda: peer.named("session.ack") and peer.named("session.ack")[-1]["received"] == 40, "the ack")


@case("what was sent twice is handled once")
async def doubles():
    async with resuming() as peer:
        await resume(peer, secrets.token_hex(16))
        first = (await peer.ask("count", seq=1))["payload"]
        await peer.send("count", requestId="again", seq=1)
        equal((await peer.ask("count", seq=2))["payload"], first + 1)
        equal([message for message in peer.others if message.get("requestId") == "again"], [])


@case("a session goes on after a cut, with what was not acknowledged")
async def goes_on():
    name = secrets.token_hex(16)
    async with resuming() as peer:
        epoch = (await resume(peer, name))["epoch"]
        await peer.join("room:kept")
        await peer.ask("echo", 1, seq=1)
        await numbered.cut()
        await peer.ended()
    # Pushes while no client is connected.
    for number in range(2):
        await numbered.say("push", topic="room:kept", event="news", payload={"number": number})
    async with resuming() as peer:
        resumed = await resume(peer, name, epoch, received=0)
        equal((resumed["epoch"], resumed["received"]), (epoch, 1))
        await peer.wait("news", 2)
        # The reply is sent again, too.
        equal(peer.numbers, [1, 2, 3])
        equal((await peer.ask("echo", 2, seq=2))["seq"], 4)


@case("a session that the server doesn't know")
async def unknown_session():
    async with resuming() as peer:
        resumed = await resume(peer, secrets.token_hex(16), "an-epoch-of-old", received=7)
        equal((resumed["epoch"] == "an-epoch-of-old", resumed["received"]), (False, 0))
        equal((await peer.ask("echo", 1, seq=1))["seq"], 1)


@case("a server that was started again begins epochs")
async def started_again():
    name, topic = secrets.token_hex(16), f"history:{secrets.token_hex(4)}"
    async with resuming() as peer:
        epoch = (await resume(peer, name))["epoch"]
        position = await peer.join(topic)
        equal((await peer.ask("echo", 1, seq=1))["seq"], 1)
        await numbered.restart()
        equal(await peer.ended(), 1001)
    async with resuming() as peer:
        resumed = await resume(peer, name, epoch, received=1)
        equal((resumed["epoch"] == epoch, resumed["received"]), (False, 0))
        again = await peer.join(topic, recover={"epoch": position["epoch"], "offset": position["offset"]})
        equal((again["epoch"] == position["epoch"], again["recovered"]), (False, False))


@case("another user's session isn't taken over")
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


@case("a hole in the numbers ends the session")
async def hole():
    async with resuming() as peer:
        await resume(peer, secrets.token_hex(16))
        await peer.send("echo", seq=5, payload=1)
        await peer.ended()


@case("a newer connection replaces the older one")
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


@case("recovery: a push that skips its sender")
async def skipped():
    topic = f"history:{secrets.token_hex(4)}"
    async with resuming() as peer, connected("numbered?token=bob") as plain:
        await peer.join(topic)
        await plain.join(topic)
        await peer.ask("shout", {"text": "one"}, channel=topic)
        await plain.ask("shout", {"text": "two"}, channel=topic)
        await peer.wait("news")
        # The sender's own push only becomes a skipped offset. A client that doesn't know offsets isn't notified.
        equal([(each["event"], each["offset"]) for each in peer.others], [("channel.skipped", 1), ("news", 2)])
        await plain.wait("news")
        equal([(each["event"], each["payload"]["text"]) for each in plain.others], [("news", "one")])


run()
