"""Cases of phoenix-channels-python-client with our end of Phoenix channels.

    python3 phoenix_client.py PORT v1|v2
"""
import asyncio
import contextlib
import sys

from phoenix_channels_python_client import PHXChannelsClient, PhoenixChannelsProtocolVersion
from phoenix_channels_python_client.client_types import ReconnectPolicy
from phoenix_channels_python_client.exceptions import PHXTopicError
from phoenix_channels_python_client.phx_messages import Event, PHXEvent, PHXMessage

from cases import ON_SERVER, PORT, Control, case, equal, run, server_case, until

VERSION = sys.argv[2]
control = Control(VERSION)
#: True if the client reads messages to all members of a channel. In version 2, such messages don't name a join, like Phoenix's, and
#: this client mistakes them for messages of an earlier join.
READS_BROADCASTS = not (ON_SERVER and VERSION == "v2")
#: Reconnects quickly, no matter how quickly connections end.
POLICY = ReconnectPolicy(
    base_delay_s=0.02, max_delay_s=0.1, service_restart_min_delay_s=0, service_restart_max_delay_s=0.05,
    rapid_first_min_delay_s=0, rapid_second_min_delay_s=0, rapid_cooldown_base_s=0, rapid_cooldown_step_s=0,
    rapid_cooldown_max_s=0)


class Happened:
    """The calls of a client's callbacks."""

    def __init__(self):
        self.reconnects, self.lost, self.beats = 0, [], 0

    async def reconnected(self):
        self.reconnects += 1

    async def lose(self, topic, error):
        self.lost.append((topic, str(error)))

    def beat(self):
        self.beats += 1


@contextlib.asynccontextmanager
async def connected(**settings):
    happened = Happened()
    version = PhoenixChannelsProtocolVersion.V2 if VERSION == "v2" else PhoenixChannelsProtocolVersion.V1
    client = PHXChannelsClient(
        f"ws://127.0.0.1:{PORT}/{VERSION}/websocket", "key", protocol_version=version, reconnect_policy=POLICY,
        on_reconnect=happened.reconnected, on_topic_lost=happened.lose, on_heartbeat_ack=happened.beat, **settings)
    async with client:
        yield client, happened


async def subscribed(client, topic):
    """Joins a topic, and returns the list of its messages."""
    messages = []

    async def add(message):
        messages.append(message)

    await client.subscribe_to_topic(topic, add)
    return messages


async def push(client, topic, event, payload, ref):
    # The client itself sends only joins, leaves and heartbeats; its protocol handler sends any message.
    join_ref = client.get_current_subscriptions()[topic].join_ref
    message = PHXMessage(topic=topic, event=Event(event), payload=payload, ref=ref, join_ref=join_ref)
    await client.get_protocol_handler().send_message(client.connection, message)


async def answers(client, topic, messages):
    """Checks that messages of the server arrive."""
    if READS_BROADCASTS:
        await control.say("push", topic=topic, event="shout", payload={})
    else:
        await control.say("direct", topic=topic, event="shout", payload={})
    await until(lambda: messages, "the message")


@case("join")
async def join():
    await control.forget()
    async with connected() as (client, _):
        target = await control.heard("connection ")
        equal(f"vsn={VERSION[1]}.0.0" in target, True)
        await subscribed(client, "room:one")
        await control.heard("join room:one {}")
        equal(client.is_topic_joined("room:one"), True)


@case("a join is rejected")
async def join_rejected():
    async with connected() as (client, _):
        try:
            await subscribed(client, "room:refused")
        except PHXTopicError as error:
            equal(str(error), "members only")
        else:
            raise AssertionError("it was joined")
        await subscribed(client, "room:other")


@case("several joins at once")
async def joins():
    async with connected() as (client, _):
        topics = [f"room:{number}" for number in range(20)]
        await asyncio.gather(*(subscribed(client, topic) for topic in topics))
        equal([client.is_topic_joined(topic) for topic in topics], [True] * 20)


@case("a push with its reply")
async def reply():
    async with connected() as (client, _):
        messages = await subscribed(client, "room:echo")
        await push(client, "room:echo", "echo", {"text": "Grüße"}, "ref-1")
        await until(lambda: messages, "the reply")
        found = messages[0]
        equal((found.event, found.ref, found.payload),
              (PHXEvent.reply, "ref-1", {"status": "ok", "response": {"text": "Grüße"}}))


@case("a push is refused")
async def refused():
    async with connected() as (client, _):
        messages = await subscribed(client, "room:strict")
        await push(client, "room:strict", "refuse", {}, "ref-2")
        await until(lambda: messages, "the reply")
        payload = messages[0].payload
        equal((payload["status"], payload["response"]["reason"]), ("error", "not for you"))


@case("a push without a reference")
async def notify():
    async with connected() as (client, _):
        await subscribed(client, "room:quiet")
        await control.forget()
        await push(client, "room:quiet", "typing", {"on": True}, None)
        await control.heard('notify room:quiet typing {"on": true}')


@server_case("a push to one member")
async def direct():
    async with connected() as (client, _):
        messages = await subscribed(client, "room:direct")
        await control.say("direct", topic="room:direct", event="shout", payload={"text": "for you"})
        await until(lambda: messages, "the push")
        equal((str(messages[0].event), messages[0].payload), ("shout", {"text": "for you"}))


@case("pushes of the server")
async def server_push():
    if not READS_BROADCASTS:
        return
    async with connected() as (client, _):
        here, there = await subscribed(client, "room:here"), await subscribed(client, "room:there")
        payloads = []

        async def add(payload):
            payloads.append(payload)

        client.add_event_handler("room:here", Event("shout"), add)
        for number in range(3):
            await control.say("push", topic="room:here", event="shout", payload={"number": number})
        await until(lambda: len(payloads) == 3, "three pushes")
        equal(payloads, [{"number": number} for number in range(3)])
        equal(([str(message.event) for message in here], there), (["shout"] * 3, []))


@case("heartbeats are answered")
async def heartbeats():
    async with connected(heartbeat_interval_s=0.05, heartbeat_dead_threshold_s=3) as (client, happened):
        await subscribed(client, "room:beating")
        await until(lambda: happened.beats >= 20, "twenty answers")
        equal((client.is_topic_joined("room:beating"), happened.reconnects), (True, 0))


@case("leave, and join again")
async def leave():
    async with connected() as (client, happened):
        await subscribed(client, "room:left")
        await control.forget()
        await client.unsubscribe_from_topic("room:left")
        await control.heard("leave room:left")
        messages = await subscribed(client, "room:left")
        await answers(client, "room:left", messages)
        equal(happened.lost, [])


@case("the server closes a channel")
async def closed():
    async with connected() as (client, happened):
        await subscribed(client, "room:closed")
        await control.say("left", topic="room:closed")
        await until(lambda: happened.lost, "the loss")
        equal(happened.lost[0][0], "room:closed")


@case("the server ends a channel by an error; it is joined again")
async def crashed():
    async with connected() as (client, happened):
        messages = await subscribed(client, "room:crashed")
        await control.forget()
        await control.say("left", topic="room:crashed", code="phx_error", message="crashed")
        await control.heard("join room:crashed")
        await until(lambda: client.is_topic_joined("room:crashed"), "the join")
        await answers(client, "room:crashed", messages)
        equal((happened.lost, happened.reconnects), ([], 0))


async def joins_again(end):
    async with connected() as (client, happened):
        messages = await subscribed(client, "room:kept")
        await subscribed(client, "room:also")
        await end()
        await until(lambda: happened.reconnects == 1, "the next connection")
        equal([client.is_topic_joined("room:kept"), client.is_topic_joined("room:also")], [True, True])
        await push(client, "room:kept", "echo", {"text": "again"}, "ref-3")
        await until(lambda: messages, "the reply")
        equal(messages[0].payload["response"], {"text": "again"})


case("a connection that is cut; channels are joined again")(lambda: joins_again(control.cut))
case("a connection that is closed; channels are joined again")(lambda: joins_again(lambda: control.close(1012)))
server_case("another server; channels are joined again")(lambda: joins_again(control.restart))


@case("joining again is rejected")
async def rejoin_rejected():
    async with connected() as (client, happened):
        await subscribed(client, "room:once")
        await control.cut()
        await until(lambda: happened.lost, "the loss")
        equal("members only" in happened.lost[0][1], True)


@case("the client closes")
async def closes():
    async with connected() as (client, _):
        await subscribed(client, "room:last")
        await control.forget()
    # The client doesn't leave the topic first.
    await control.heard("gone")


run()
