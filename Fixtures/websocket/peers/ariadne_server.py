"""A GraphQL server based on ariadne for both protocols over WebSocket: /transport speaks graphql-transport-ws, /legacy the older
graphql-ws with keep-alives every 0.2 s.

    python3 ariadne_server.py PORT

In addition to `ready PORT`, it prints `opened PAYLOAD` for an opening message, `begun NAME` for a subscription, and
`stopped OPERATION` for a subscription that the client has ended.
"""
import asyncio
import json
import sys

from ariadne import QueryType, SubscriptionType, make_executable_schema
from ariadne.asgi import GraphQL
from ariadne.asgi.handlers import GraphQLTransportWSHandler, GraphQLWSHandler
from ariadne.exceptions import WebSocketConnectionError
from graphql import GraphQLError
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute

from serving import say, serve

SCHEMA = """
    type Query { hello: String! }
    type Subscription {
        count(to: Int!, name: String): Int!
        ticks(name: String!): Int!
        half(to: Int!): Int
        refused: Int!
        large(bytes: Int!): String!
    }
"""
queries = QueryType()
subscriptions = SubscriptionType()


@queries.field("hello")
def hello(*_):
    return "Grüße"


@subscriptions.source("count")
async def count(_, info, to, name=None):
    for number in range(1, to + 1):
        await asyncio.sleep(0.01)
        yield number


@subscriptions.source("ticks")
async def ticks(_, info, name):
    say("begun", name)
    number = 0
    while True:
        number += 1
        yield number
        await asyncio.sleep(0.05)


@subscriptions.source("half")
async def half(_, info, to):
    for number in range(1, to + 1):
        yield number


@subscriptions.field("half")
def resolve_half(number, info, to):
    if number % 2 == 0:
        raise GraphQLError("even numbers fail", extensions={"code": "EVEN"})
    return number


@subscriptions.source("refused")
async def refused(*_):
    raise GraphQLError("not for you", extensions={"code": "FORBIDDEN"})
    yield 0


@subscriptions.source("large")
async def large(_, info, bytes):
    yield "x" * bytes


@subscriptions.field("count")
@subscriptions.field("large")
@subscriptions.field("ticks")
@subscriptions.field("refused")
def same(value, *_, **__):
    return value


def on_connect(socket, payload):
    say("opened", json.dumps(payload))
    if isinstance(payload, dict) and payload.get("token") == "wrong":
        raise WebSocketConnectionError({"message": "wrong token", "extensions": {"code": "UNAUTHENTICATED"}})


def on_complete(socket, operation):
    say("stopped", operation.name)


schema = make_executable_schema(SCHEMA, queries, subscriptions)
hooks = dict(on_connect=on_connect, on_complete=on_complete)
transport = GraphQL(schema, websocket_handler=GraphQLTransportWSHandler(**hooks))
legacy = GraphQL(schema, websocket_handler=GraphQLWSHandler(**hooks, keepalive=0.2))
application = Starlette(routes=[WebSocketRoute("/transport", transport), WebSocketRoute("/legacy", legacy)])
serve(application, int(sys.argv[1]))
