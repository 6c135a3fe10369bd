#if Server
import HTTPTypes
import NIOCore
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import Synchronization

/// The values that a WebSocket server provides.
extension PlantedValues {
    private struct Secret: Sendable { var token = PlantedValues.mark }

    mutating func plantSocketServer() async throws {
        let payload = SocketPayload(json: Self.json)
        plant(
            SocketHandshake(target: "/chat?token=PLANTED", headers: Self.headers, address: nil, host: nil),
            SocketServerRequest(method: .get, target: "/health?token=PLANTED", headers: Self.headers),
            SocketServerResponse(headers: Self.headers, body: "PLANTED"),
            SocketRefusal(.forbidden, "no", headers: Self.headers), ChannelRules(details: payload, reply: payload),
            FanOutMessage(id: "1", node: "a", topic: "room", push: WirePush(event: "news", payload: payload)),
            FanOutEvent.message(
                FanOutMessage(id: "1", node: "a", topic: "room", push: WirePush(event: "news", payload: payload))),
            FanOutEvent.members(
                [PresenceMember(key: "ada", connection: "1", node: "a", details: payload)], topic: "room"),
            FanOutHistory(
                position: ChannelPosition(epoch: "e", offset: 1), pushes: [WirePush(event: "news", payload: payload)]),
            PresenceMember(key: "ada", connection: "1", node: "a", details: payload))
        try await plantRunningServer()
    }

    private mutating func plantRunningServer() async throws {
        let seen = Mutex<[any Sendable]>([])
        let keep: @Sendable (any Sendable) -> Void = { value in seen.withLock { $0.append(value) } }
        var router = SocketRouter<Secret>()
        router.channel("room") { join in
            keep(join)
            return ChannelRules(history: 10)
        }
        router.on("say") { payload, context in
            keep(context)
            keep(context.connection)
            return payload
        }
        let server = SocketServer(router: router) { _ in Secret() }
        plant(
            router, server, server.everybody, SocketUpgrader(server),
            SocketTypedUpgrader<Void>(server) { (_: any Channel) in })
        let transport = MockWebSocketTransport { link, request in
            try await server.serve(link, target: request.target, headers: request.headers)
        }
        let serving = Task { try await server.serve() }
        try await server.ready()
        let client = SocketClient("ws://api.test/chat?token=PLANTED", client: WebSocketClient(transport: transport))
        try await client.withConnection { client in
            try await client.join("room")
            _ = try await client.send("say", payload: SocketPayload(json: Self.json), channel: "room")
        }
        server.stop()
        try await serving.value
        for value in seen.withLock({ $0 }) { plant(value) }
    }
}
#endif
