"""Cases of centrifuge-python with our end of Centrifuge."""
import asyncio
import contextlib

from centrifuge import (
    Client, ClientEventHandler, ClientState, ReplyError, SubscriptionEventHandler, SubscriptionState,
)

from cases import ON_SERVER, PORT, Control, case, equal, run, server_case, until

control = Control("centrifuge")


class Events(ClientEventHandler, SubscriptionEventHandler):
    """The events so far, as pairs of a name and its context."""

    def __init__(self):
        self.all = []

    def named(self, name):
        return [context for found, context in self.all if found == name]

    async def wait(self, name, count=1):
        await until(lambda: len(self.named(name)) >= count, name)
        return self.named(name)[count - 1]


def record(name):
    async def handle(self, context):
        self.all.append((name, context))
    return handle


for name in ["connecting", "connected", "disconnected", "error", "subscribing", "subscribed", "unsubscribed", "publication",
             "join", "leave"]:
    setattr(Events, f"on_{name}", record(name))


@contextlib.asynccontextmanager
async def connected(**settings):
    events = Events()
    client = Client(f"ws://127.0.0.1:{PORT}/socket", events=events, proxy=None, max_reconnect_delay=0.3, **settings)
    await client.connect()
    try:
        await client.ready()
        yield client, events
    finally:
        await client.disconnect()


async def subscribed(client, channel, **settings):
    events = Events()
    subscription = client.new_subscription(channel, events=events, **settings)
    await subscription.subscribe()
    return subscription, events


def data(publications):
    return [context.pub.data for context in publications]


@case("connect, with data of both")
async def connect():
    await control.forget()
    async with connected(data={"name": "Grüße"}) as (client, events):
        context = await events.wait("connected")
        equal((bool(context.client), context.data), (True, {"motd": "hello"}))
        await control.heard('open {"data": {"name": "Gr')


@case("connect is refused for good")
async def connect_refused():
    events = Events()
    client = Client(f"ws://127.0.0.1:{PORT}/socket", events=events, proxy=None, token="wrong")
    await client.connect()
    context = await events.wait("disconnected")
    equal((context.code, context.reason), (3500, "invalid token"))
    equal(client.state, ClientState.DISCONNECTED)


@case("connect is refused for now", wire_only=True)
async def connect_later():
    async with connected(token="busy") as (client, events):
        equal(events.named("error")[0].error.code, 100)
        equal(client.state, ClientState.CONNECTED)


@case("rpc")
async def rpc():
    async with connected() as (client, _):
        equal((await client.rpc("echo", {"text": "line\nend"})).data, {"text": "line\nend"})
        equal((await client.rpc("echo", [1, None, "Ä"])).data, [1, None, "Ä"])


@case("many rpcs at once")
async def rpcs():
    async with connected() as (client, _):
        results = await asyncio.gather(*(client.rpc("echo", number) for number in range(1, 51)))
        equal([result.data for result in results], list(range(1, 51)))


@case("rpc is refused")
async def rpc_refused():
    async with connected() as (client, _):
        try:
            await client.rpc("fail", {})
        except ReplyError as error:
            equal((error.code, error.message if hasattr(error, "message") else str(error)), (1042, "it failed"))
            return
        raise AssertionError("it was not refused")


@case("subscribe, publish, publication")
async def publish():
    async with connected() as (client, _):
        subscription, events = await subscribed(client, "news:1")
        await subscription.ready()
        await subscription.publish({"number": 1})
        await client.publish("news:1", {"number": 2})
        await events.wait("publication", 2)
        found = events.named("publication")
        equal([(each.pub.offset, each.pub.data) for each in found], [(1, {"number": 1}), (2, {"number": 2})])


@case("many publications in order")
async def publications():
    async with connected() as (client, _):
        subscription, events = await subscribed(client, "many")
        await subscription.ready()
        await asyncio.gather(*(subscription.publish(number) for number in range(200)))
        await events.wait("publication", 200)
        found = events.named("publication")
        equal([each.pub.offset for each in found], list(range(1, 201)))
        equal(data(found), list(range(200)))


@case("others join and leave")
async def others():
    async with connected() as (client, _):
        subscription, events = await subscribed(client, "others", join_leave=True)
        await subscription.ready()
        for event in ["join", "leave"]:
            await control.say("push", topic="others", event=event, payload={"user": "ada", "client": "c2"})
            context = await events.wait(event)
            equal((context.info.user, context.info.client), ("ada", "c2"))


@case("the data of a subscription")
async def subscription_data():
    async with connected() as (client, _):
        subscription, events = await subscribed(client, "data", data={"role": "member"})
        context = await events.wait("subscribed")
        equal(context.data, {"role": "member"})
        equal((context.recoverable, context.positioned), (True, True))


@case("subscribe is refused")
async def subscribe_refused():
    async with connected() as (client, _):
        subscription, events = await subscribed(client, "secret")
        context = await events.wait("unsubscribed")
        equal((context.code, context.reason), (103, "permission denied"))
        equal(subscription.state, SubscriptionState.UNSUBSCRIBED)
        equal((await client.rpc("echo", 1)).data, 1)


@case("publish is refused")
async def publish_refused():
    async with connected() as (client, _):
        try:
            await client.publish("secret", 1)
        except ReplyError as error:
            equal(error.code, 103)
            return
        raise AssertionError("it was not refused")


@case("unsubscribe")
async def unsubscribe():
    async with connected() as (client, _):
        subscription, events = await subscribed(client, "left")
        await subscription.ready()
        await control.forget()
        await subscription.unsubscribe()
        await events.wait("unsubscribed")
        await control.heard("leave left")
        equal((await client.rpc("echo", 1)).data, 1)
        equal(client.state, ClientState.CONNECTED)


@case("the server unsubscribes")
async def server_unsubscribes():
    async with connected() as (client, _):
        subscription, events = await subscribed(client, "closed")
        await subscription.ready()
        await control.say("left", topic="closed", code="2000", message="closed")
        context = await events.wait("unsubscribed")
        equal((context.code, context.reason), (2000, "" if ON_SERVER else "closed"))


@case("the server unsubscribes for now")
async def server_unsubscribes_for_now():
    async with connected() as (client, _):
        subscription, events = await subscribed(client, "moved")
        await subscription.ready()
        # Codes from 2500 on ask the client to subscribe again.
        await control.say("left", topic="moved", code="2500", message="insufficient state")
        await events.wait("subscribed", 2)
        equal(events.named("unsubscribed"), [])


@case("what was missed is recovered after a cut")
async def recovery():
    async with connected() as (client, client_events):
        subscription, events = await subscribed(client, "recovered", recoverable=True)
        await subscription.ready()
        await subscription.publish(1)
        await events.wait("publication")
        if ON_SERVER:
            await control.cut(stays=True)
            for number in [2, 3]:
                await control.say("push", topic="recovered", payload=number)
            control.restore()
        else:
            for number in [2, 3]:
                await client.rpc("store", {"channel": "recovered", "data": number})
            await control.cut()
        context = await events.wait("subscribed", 2)
        equal((context.was_recovering, context.recovered), (True, True))
        await events.wait("publication", 3)
        await subscription.publish(4)
        await events.wait("publication", 4)
        equal(data(events.named("publication")), [1, 2, 3, 4])
        equal(len(client_events.named("connected")), 2)


@case("what the server has forgotten is not recovered")
async def no_recovery():
    async with connected() as (client, _):
        subscription, events = await subscribed(client, "forgotten", recoverable=True)
        await subscription.ready()
        await subscription.publish(1)
        await events.wait("publication")
        if ON_SERVER:
            await control.restart()
        else:
            await client.rpc("forget", {})
            await control.cut()
        context = await events.wait("subscribed", 2)
        equal((context.was_recovering, context.recovered), (True, False))


@case("a ping of the server", wire_only=True)
async def ping():
    async with connected() as (client, _):
        await control.forget()
        await control.say("heartbeat")
        await control.heard("alive")
        equal((await client.rpc("echo", 1)).data, 1)


@case("a server that falls silent is left", wire_only=True)
async def silence():
    async with connected(token="quiet", max_server_ping_delay=0.2) as (client, events):
        await control.say("heartbeat")
        await events.wait("connected", 2)


@server_case("pings of the server keep a quiet connection")
async def quiet():
    # The server pings every second or two, as announced; the client waits half a second longer.
    async with connected(max_server_ping_delay=0.5) as (client, events):
        await asyncio.sleep(5)
        equal((client.state, len(events.named("connected"))), (ClientState.CONNECTED, 1))


@case("the server disconnects for now")
async def disconnect():
    async with connected() as (client, events):
        if ON_SERVER:
            await control.close(3001)
        else:
            await control.say("end", code="3001", message="shutdown", mayReconnect=True)
        await events.wait("connected", 2)
        equal(events.named("disconnected"), [])


@case("the server disconnects for good", wire_only=True)
async def disconnect_for_good():
    async with connected() as (client, events):
        await control.say("end", code="3501", message="bad request", mayReconnect=False)
        context = await events.wait("disconnected")
        equal((context.code, context.reason), (3501, "bad request"))


@case("what the server lacks is answered")
async def presence():
    async with connected() as (client, _):
        for call in [client.presence("any"), client.history("any", limit=1)]:
            try:
                await call
            except ReplyError as error:
                equal(error.code, 108)
            else:
                raise AssertionError("it was not refused")


@case("the client disconnects")
async def client_disconnects():
    async with connected() as (client, events):
        await control.forget()
        await client.disconnect()
        await events.wait("disconnected")
        await control.heard("gone")


run()
