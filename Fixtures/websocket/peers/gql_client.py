"""Cases of gql with our ends of its four protocols: graphql-transport-ws, the older graphql-ws, AppSync, and Phoenix channels
as Absinthe uses them.
"""
import asyncio
import base64
import json

from gql import Client, gql
from gql.transport.appsync_auth import AppSyncApiKeyAuthentication
from gql.transport.appsync_websockets import AppSyncWebsocketsTransport
from gql.transport.exceptions import (
    TransportClosed, TransportConnectionFailed, TransportQueryError, TransportServerError,
)
from gql.transport.phoenix_channel_websockets import PhoenixChannelWebsocketsTransport
from gql.transport.websockets import WebsocketsTransport

from cases import ON_SERVER, PORT, Control, case, equal, run

COUNT = gql("subscription { count }")
TICKS = gql("subscription { ticks }")
HALF = gql("subscription { half }")
REFUSED = gql("subscription { refused }")
HELLO = gql("query { hello }")
#: The subprotocol of each GraphQL protocol.
SUBPROTOCOLS = {"transport": ["graphql-transport-ws"], "legacy": ["graphql-ws"]}


def websockets(name, **settings):
    return WebsocketsTransport(f"ws://127.0.0.1:{PORT}/{name}", subprotocols=SUBPROTOCOLS[name], **settings)


def appsync(**settings):
    return AppSyncWebsocketsTransport(
        f"ws://127.0.0.1:{PORT}/appsync", auth=AppSyncApiKeyAuthentication(host="api.example", api_key="da2-key"), **settings)


def absinthe(**settings):
    return PhoenixChannelWebsocketsTransport(f"ws://127.0.0.1:{PORT}/absinthe", **settings)


def session(transport):
    # Used with `async with`: connected inside, closed afterwards.
    return Client(transport=transport)


async def fails(kind, work):
    """Returns the error of type `kind` that `work` raises."""
    try:
        await work
    except kind as error:
        return error
    raise AssertionError("it did not fail")


async def events(session, document):
    return [event async for event in session.subscribe(document)]


async def some_events(session, document, count):
    """Reads some events, then ends the subscription."""
    found = []
    generator = session.subscribe(document)
    async for event in generator:
        found.append(event)
        if len(found) == count:
            break
    await generator.aclose()
    return found


# MARK: Both protocols of GraphQL, and AppSync

async def reads_events(make):
    async with session(make()) as found:
        equal(await events(found, COUNT), [{"count": 1}, {"count": 2}, {"count": 3}])


async def reads_many(make):
    async with session(make()) as found:
        results = await asyncio.gather(*(events(found, COUNT) for _ in range(10)))
        equal(results, [[{"count": 1}, {"count": 2}, {"count": 3}]] * 10)


async def is_refused(make):
    async with session(make()) as found:
        error = await fails(TransportQueryError, events(found, REFUSED))
        equal(error.errors[0].get("message") or error.errors[0]["errors"][0]["message"], "not for you")
        # Other subscriptions continue.
        equal(len(await events(found, COUNT)), 3)


async def has_errors(make):
    async with session(make()) as found:
        error = await fails(TransportQueryError, events(found, HALF))
        equal((error.data, error.errors[0]["path"]), ({"half": None}, ["half"]))


async def unsubscribes(name, make):
    control = Control(name)
    async with session(make()) as found:
        await control.forget()
        equal(await some_events(found, TICKS, 1), [{"ticks": 1}])
        await control.heard("unsubscribe 1")
        equal(len(await events(found, COUNT)), 3)


async def is_cut(name, make):
    control = Control(name)
    async with session(make()) as found:
        generator = found.subscribe(TICKS)
        equal(await anext(generator), {"ticks": 1})
        await control.cut()
        await fails((TransportConnectionFailed, TransportClosed), anext(generator))


async def connects_again(name, make):
    control = Control(name)
    client = Client(transport=make())
    found = await client.connect_async(reconnecting=True, retry_connect=False)
    try:
        equal(len(await events(found, COUNT)), 3)
        await control.forget()
        generator = found.subscribe(TICKS)
        await anext(generator)
        await control.cut()
        await fails(Exception, anext(generator))
        await control.heard("open")
        equal(len(await events(found, COUNT)), 3)
    finally:
        await client.close_async()


for name, make in [("transport", lambda **each: websockets("transport", **each)),
                   ("legacy", lambda **each: websockets("legacy", **each)), ("appsync", appsync)]:
    case(f"{name}: several events, then completion")(lambda make=make: reads_events(make))
    case(f"{name}: several subscriptions at once")(lambda make=make: reads_many(make))
    case(f"{name}: a subscription is refused")(lambda make=make: is_refused(make))
    case(f"{name}: an event with data and an error")(lambda make=make: has_errors(make))
    case(f"{name}: unsubscribing")(lambda name=name, make=make: unsubscribes(name, make))
    case(f"{name}: a connection that is cut")(lambda name=name, make=make: is_cut(name, make))
    case(f"{name}: connecting again")(lambda name=name, make=make: connects_again(name, make))


@case("transport: a query")
async def transport_query():
    async with session(websockets("transport")) as found:
        equal(await found.execute(HELLO), {"hello": "Grüße"})


@case("legacy: a query")
async def legacy_query():
    async with session(websockets("legacy")) as found:
        equal(await found.execute(HELLO), {"hello": "Grüße"})


@case("transport: the opening message")
async def transport_opening():
    control = Control("transport")
    await control.forget()
    async with session(websockets("transport", init_payload={"token": "right"})):
        await control.heard('open {"token": "right"}')


@case("transport: the opening message is refused")
async def transport_opening_refused():
    error = await fails(TransportConnectionFailed, websockets("transport", init_payload={"token": "wrong"}).connect())
    equal("4403" in repr(error) or "4403" in repr(error.__cause__), True)


@case("transport: pings of the client are answered", wire_only=True)
async def transport_pings():
    transport = websockets("transport", ping_interval=0.05, pong_timeout=3)
    control = Control("transport")
    await control.forget()
    async with session(transport) as found:
        for _ in range(5):
            await control.heard("heartbeat")
        equal(len(await events(found, COUNT)), 3)


@case("transport: the payload of a ping comes back")
async def transport_ping_payload():
    transport = websockets("transport")
    async with session(transport):
        await transport.send_ping({"sent": 1})
        await asyncio.wait_for(transport.pong_received.wait(), 5)
        equal(transport.payloads["pong"], {"sent": 1})


@case("transport: pings of the server are answered", wire_only=True)
async def transport_server_pings():
    control = Control("transport")
    async with session(websockets("transport")):
        await control.forget()
        await control.say("heartbeat")
        await control.heard("alive")


@case("legacy: the opening message is refused")
async def legacy_opening_refused():
    error = await fails(TransportServerError, websockets("legacy", init_payload={"token": "wrong"}).connect())
    equal("wrong token" in str(error), True)


@case("legacy: the client ends the protocol", wire_only=True)
async def legacy_terminates():
    control = Control("legacy")
    await control.forget()
    async with session(websockets("legacy")):
        pass
    await control.heard("end")


async def is_kept_alive(name, make):
    control = Control(name)
    async with session(make(keep_alive_timeout=1.5)) as found:
        generator = found.subscribe(TICKS)
        await anext(generator)
        for _ in range(8):
            await asyncio.sleep(0.3)
            await control.say("alive")
        equal(len(await events(found, COUNT)), 3)
        # Without keep-alives, the client gives up.
        error = await fails(TransportServerError, anext(generator))
        equal("keep-alive" in str(error), True)


case("legacy: keep-alives", wire_only=True)(lambda: is_kept_alive("legacy", lambda **each: websockets("legacy", **each)))
case("appsync: keep-alives", wire_only=True)(lambda: is_kept_alive("appsync", appsync))


@case("appsync: the credentials")
async def appsync_credentials():
    control = Control("appsync")
    await control.forget()
    async with session(appsync()) as found:
        target = await control.heard("connection ")
        header = target.split("header=")[1].split("&")[0]
        equal(json.loads(base64.b64decode(header)), {"host": "api.example", "x-api-key": "da2-key"})
        await events(found, COUNT)
        line = await control.heard("subscribe 1")
        equal(json.loads(line.removeprefix("subscribe 1 "))["extensions"]["authorization"]["x-api-key"], "da2-key")


# MARK: Phoenix channels

@case("absinthe: a query")
async def absinthe_query():
    async with session(absinthe()) as found:
        equal(await found.execute(HELLO), {"hello": "Grüße"})


@case("absinthe: a query is refused")
async def absinthe_query_refused():
    async with session(absinthe()) as found:
        error = await fails(TransportQueryError, found.execute(gql("query { secret }")))
        equal("not for you" in str(error), True)


@case("absinthe: events of a subscription, and its end")
async def absinthe_subscription():
    control = Control("absinthe")
    async with session(absinthe()) as found:
        await control.forget()
        reader = asyncio.create_task(some_events(found, TICKS, 2))
        if ON_SERVER:
            # Waits until the reply has been sent.
            await control.heard("request __absinthe__:control doc")
            await asyncio.sleep(0.2)
            topic = "__absinthe__:doc:1"
            for number in [1, 2]:
                payload = {"subscriptionId": topic, "result": {"data": {"ticks": number}}}
                await control.say("direct", topic=topic, event="subscription:data", payload=payload)
        equal(await reader, [{"ticks": 1}, {"ticks": 2}])
        await control.heard("request __absinthe__:control unsubscribe")
        equal(await found.execute(HELLO), {"hello": "Grüße"})


@case("absinthe: a channel that is refused")
async def absinthe_refused():
    error = await fails(TransportQueryError, absinthe(channel_name="other").connect())
    equal(("there is no channel" if ON_SERVER else "unmatched topic") in str(error), True)


@case("absinthe: heartbeats", wire_only=True)
async def absinthe_heartbeats():
    control = Control("absinthe")
    await control.forget()
    async with session(absinthe(heartbeat_interval=0.05)) as found:
        for _ in range(3):
            await control.heard("heartbeat")
        equal(await found.execute(HELLO), {"hello": "Grüße"})


@case("absinthe: the channel ends by an error", wire_only=True)
async def absinthe_error():
    control = Control("absinthe")
    async with session(absinthe()) as found:
        generator = found.subscribe(TICKS)
        await anext(generator)
        await control.say("left", topic="__absinthe__:control", code="phx_error")
        await fails(TransportServerError, until_end(generator))


async def until_end(generator):
    async for _ in generator:
        pass


@case("absinthe: leave")
async def absinthe_leave():
    control = Control("absinthe")
    async with session(absinthe()):
        await control.forget()
    await control.heard("leave __absinthe__:control")


run()
