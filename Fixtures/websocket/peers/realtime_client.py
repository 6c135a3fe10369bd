"""Cases of realtime, the client of Supabase, with our end of Phoenix channels, version 1."""
import asyncio
import contextlib
import logging

from realtime import AsyncRealtimeClient, RealtimeSubscribeStates
from realtime.types import RealtimeAcknowledgementStatus

from cases import PORT, Control, case, equal, run, server_case, until

control = Control("realtime")
#: The log messages about messages that the client couldn't read.
complaints = []


class Complaints(logging.Handler):
    def emit(self, record):
        if "Unrecognized message" in record.getMessage():
            complaints.append(record.getMessage())


logging.getLogger("realtime").addHandler(Complaints())


@contextlib.asynccontextmanager
async def connected():
    client = AsyncRealtimeClient(f"http://127.0.0.1:{PORT}/realtime", token="right", initial_backoff=0.05)
    await client.connect()
    try:
        yield client
    finally:
        await client.close()


class Room:
    """A channel with the states of its subscription and its broadcasts."""

    def __init__(self, client, name, params=None):
        self.states, self.broadcasts = [], []
        self.topic = f"realtime:{name}"
        self.channel = client.channel(name, params)
        self.channel.on_broadcast("shout", self.broadcasts.append)

    async def subscribe(self):
        await self.channel.subscribe(lambda state, error: self.states.append((state, error)))
        return self

    async def wait(self, state, count=1):
        await until(lambda: self.count(state) >= count, state)

    def count(self, state):
        return sum(found == state for found, _ in self.states)


async def acknowledged(push):
    """Waits for the reply to a push, and returns its status and its response."""
    answer = asyncio.get_running_loop().create_future()
    for status in [RealtimeAcknowledgementStatus.Ok, RealtimeAcknowledgementStatus.Error]:
        push.receive(status, lambda response, status=status: answer.set_result((status.value, response)))
    return await answer


@case("join, with its payload")
async def join():
    await control.forget()
    async with connected() as client:
        room = await Room(client, "one", {"config": {"broadcast": {"ack": True, "self": True}, "private": False}}).subscribe()
        equal(room.states, [(RealtimeSubscribeStates.SUBSCRIBED, None)])
        line = await control.heard("join realtime:one ")
        equal(('"ack":true' in line, '"access_token":"right"' in line), (True, True))


@case("a join is rejected")
async def join_rejected():
    async with connected() as client:
        room = await Room(client, "refused").subscribe()
        state, error = room.states[0]
        equal((state, "members only" in str(error)), (RealtimeSubscribeStates.CHANNEL_ERROR, True))
        # Other channels aren't affected.
        other = await Room(client, "other").subscribe()
        equal(other.states[0][0], RealtimeSubscribeStates.SUBSCRIBED)


@case("several joins at once")
async def joins():
    async with connected() as client:
        rooms = await asyncio.gather(*(Room(client, f"room-{number}").subscribe() for number in range(10)))
        equal([room.states for room in rooms], [[(RealtimeSubscribeStates.SUBSCRIBED, None)]] * 10)


@case("a broadcast of the client is acknowledged")
async def client_broadcast():
    async with connected() as client:
        room = await Room(client, "shouting").subscribe()
        await control.forget()
        push = await room.channel.push("broadcast", {"type": "broadcast", "event": "shout", "payload": {"text": "Grüße"}})
        equal((await acknowledged(push))[0], "ok")
        await control.heard("request realtime:shouting broadcast")


@case("several pushes at once")
async def pushes():
    async with connected() as client:
        room = await Room(client, "busy").subscribe()
        pushes = await asyncio.gather(*(room.channel.push("echo", {"number": number}) for number in range(20)))
        answers = await asyncio.gather(*(acknowledged(push) for push in pushes))
        equal([status for status, _ in answers], ["ok"] * 20)


@case("a push is refused")
async def push_refused():
    async with connected() as client:
        room = await Room(client, "strict").subscribe()
        status, response = await acknowledged(await room.channel.push("refuse", {}))
        equal((status, response["reason"]), ("error", "not for you"))


@case("a broadcast of the server")
async def server_broadcast():
    async with connected() as client:
        room, other = await Room(client, "here").subscribe(), await Room(client, "there").subscribe()
        payload = {"type": "broadcast", "event": "shout", "payload": {"text": "Grüße \N{GRINNING FACE}"}}
        await control.say("push", topic=room.topic, event="broadcast", payload=payload)
        await until(lambda: room.broadcasts, "the broadcast")
        equal(room.broadcasts[0]["payload"], {"text": "Grüße \N{GRINNING FACE}"})
        equal(other.broadcasts, [])


@case("messages of Supabase: presence, system")
async def messages():
    async with connected() as client:
        synced, systems = [], []
        room = Room(client, "present")
        room.channel.on_presence_sync(lambda: synced.append(room.channel.presence_state()))
        room.channel.on_system(systems.append)
        await room.subscribe()
        state = {"ada": {"metas": [{"phx_ref": "r1", "mood": "good"}]}}
        await control.say("push", topic=room.topic, event="presence_state", payload=state)
        await until(lambda: synced, "the state of presence")
        equal(synced[0]["ada"][0]["mood"], "good")
        system = {"channel": "present", "extension": "system", "message": "Subscribed", "status": "ok"}
        await control.say("push", topic=room.topic, event="system", payload=system)
        await until(lambda: systems, "the message of the system")


@case("another token for a channel")
async def token():
    async with connected() as client:
        await Room(client, "token").subscribe()
        await control.forget()
        await client.set_auth("newer")
        line = await control.heard("request realtime:token access_token")
        equal('"newer"' in line, True)


@case("heartbeats", wire_only=True)
async def heartbeats():
    await control.forget()
    async with connected() as client:
        # Each connection begins with a heartbeat; the next ones follow after 15 s at the earliest.
        await control.heard("heartbeat")
        room = await Room(client, "beating").subscribe()
        equal(room.states[0][0], RealtimeSubscribeStates.SUBSCRIBED)


@case("leave, and join again")
async def leave():
    async with connected() as client:
        room = await Room(client, "left").subscribe()
        await control.forget()
        await room.channel.unsubscribe()
        await room.wait(RealtimeSubscribeStates.CLOSED)
        await control.heard("leave realtime:left")
        again = await Room(client, "left").subscribe()
        equal(again.states, [(RealtimeSubscribeStates.SUBSCRIBED, None)])


@case("the server closes a channel")
async def closed():
    async with connected() as client:
        room = await Room(client, "closed").subscribe()
        await control.say("left", topic=room.topic)
        await room.wait(RealtimeSubscribeStates.CLOSED)


@case("the server ends a channel by an error; it is joined again")
async def crashed():
    async with connected() as client:
        room = await Room(client, "crashed").subscribe()
        await control.say("left", topic=room.topic, code="phx_error", message="crashed")
        await room.wait(RealtimeSubscribeStates.CHANNEL_ERROR)
        await room.wait(RealtimeSubscribeStates.SUBSCRIBED, 2)
        equal((await acknowledged(await room.channel.push("echo", {})))[0], "ok")


async def joins_again(end):
    async with connected() as client:
        room = await Room(client, "kept").subscribe()
        await control.forget()
        await end()
        await control.heard("join realtime:kept")
        await room.wait(RealtimeSubscribeStates.SUBSCRIBED, 2)
        equal((await acknowledged(await room.channel.push("echo", {})))[0], "ok")


case("a connection that is cut; the channel is joined again")(lambda: joins_again(control.cut))
case("a connection that is closed; the channel is joined again")(lambda: joins_again(lambda: control.close(1012)))
server_case("another server; the channel is joined again")(lambda: joins_again(control.restart))


@case("the client closes")
async def closes():
    async with connected() as client:
        await Room(client, "last").subscribe()
        await control.forget()
        await client.close()
        await control.heard("gone")


@case("the client can read every message")
async def readable():
    equal(complaints, [])


run()
