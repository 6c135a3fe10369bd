import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetSocket
import NetTesting

#if Server
import NetTestServer
#endif

/// Values that require a connection, or a body that is read.
extension PlantedValues {
    mutating func plantSockets() async throws {
        let stub = WebSocketStub("/chat", .text(Self.json), .expect(Self.json), .stall)
        let transport = MockWebSocketTransport([stub])
        let client = WebSocketClient(transport: transport)
        let request = WebSocketRequest(url: "wss://api.test/chat?token=PLANTED", headers: Self.headers)
        let socket = try await client.connect(request)
        try await socket.send(Self.json)
        _ = try await socket.receive()
        let decoded = socket.messages(of: [String: String].self)
        plant(
            stub, transport, client, socket, socket.messages, socket.messages.makeAsyncIterator(), decoded,
            decoded.makeAsyncIterator())
        plantEach(transport.requests)
        plantEach(transport.sockets)
        await socket.close()
        await client.shutdown()
        try await plantSessions()
        try await plantParts()
    }

    /// Plants a session whose server repeats the secret everywhere.
    private mutating func plantSessions() async throws {
        let payload = SocketPayload(json: Self.json)
        let failure = SocketFailure("refused", "see details", details: payload)
        let stub = WebSocketStub("/session") { peer in
            var wire = SocketWire.json.makeMachine(.server)
            while let message = try await peer.receive() {
                for signal in try wire.decode(message).signals {
                    var answers: [WireSignal] = []
                    if case .request(let request) = signal, let id = request.id {
                        answers = [
                            .push(WirePush(event: "news", payload: payload)),
                            .reply(WireReply(id: id, .failure(failure))),
                        ]
                    }
                    if case .join(let join) = signal {
                        answers = [.joined(WireJoined(id: join.id, topic: join.topic, payload: payload))]
                    }
                    for answer in answers {
                        for message in try wire.encode(answer) { try await peer.send(message) }
                    }
                }
            }
        }
        var configuration = SocketClient.Configuration()
        configuration.openPayload = { payload }
        let client = SocketClient(
            "wss://api.test/session?token=PLANTED", client: WebSocketClient(transport: MockWebSocketTransport([stub])),
            configuration: configuration
        ) { $0.bearer = "PLANTED" }
        client.start()
        let events = client.events()
        let room = try await client.join("room") { ["token": "PLANTED"] }
        let roomEvents = room.events()
        await plantThrown { try await room.send(SecretCommand(token: "PLANTED")) }
        var iterator = events.makeAsyncIterator()
        for _ in 0..<3 {
            if let event = try await iterator.next() { plant(event) }
        }
        plant(client, client.state, configuration, room, events, iterator, roomEvents)
        let graph = GraphQLSubscription<[String: String]>("subscription { a }", variables: ["token": "PLANTED"])
        let subscription = client.subscribe(graph)
        plant(graph, subscription, subscription.makeAsyncIterator())
        client.close()
        let request = WireRequest(id: 1, event: "login", payload: payload)
        let reply = WireReply(id: 1, .failure(failure))
        let joined = WireJoined(
            id: 1, topic: "room", payload: payload, missed: [WirePush(event: "news", payload: payload)])
        plant(
            payload, failure, request, reply, reply.outcome, joined, WireJoin(id: 1, topic: "room", payload: payload),
            WirePush(event: "news", payload: payload), WireOpened(payload: payload), WireEnd(failure),
            WireSignal.request(request), WireReading([.joined(joined)]), WireResume(session: "PLANTED"),
            WireSignal.resume(WireResume(session: "PLANTED")), SocketPeer { _, _ in [.reply(reply)] },
            SocketChannel.Event.push(WirePush(event: "news", payload: payload)), SocketCommandError.rejected(failure))
        var presence = Presence()
        let members = #"{"ada":{"password":"PLANTED","metas":[{"phx_ref":"1","token":"PLANTED"}]}}"#
        try presence.apply(WirePush(event: "presence_state", payload: SocketPayload(json: members)))
        plant(presence, presence.members, presence.members.flatMap(\.metas))
        for member in presence.members { plant(member, member.metas[0]) }
    }

    private struct SecretCommand: SocketCommand {
        static let event = "login"
        typealias Response = NoResponse
        var token: String
    }

    private mutating func plantParts() async throws {
        let text =
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\nSet-Cookie: a=PLANTED\r\n\r\nPLANTED\r\n--b--"
        var parts = try MultipartParts(ResponseBody(Bytes(text.utf8)), boundary: "b").makeAsyncIterator()
        if let part = try await parts.next() { plant(part) }
        let store = MemoryCacheStore()
        let transport = Secretive(secret: "PLANTED")
        let client = HTTPClient(baseURL: "https://api.test", transport: transport) {
            $0.middleware = [CacheMiddleware(store), CacheableAnswers()]
        }
        _ = try await client.raw(Request<Bytes>("/cached", query: [QueryItem("token", "PLANTED")]))
        let key = try required(CacheKey(url: "https://api.test/cached?token=PLANTED"))
        let entries = await store.entries(for: key)
        plantEach(entries)
        if entries.isEmpty { throw NetError(.unknown, phase: .preparing, message: "nothing was stored") }
        plant(store, key, CacheMiddleware(store))
    }

    private struct CacheableAnswers: Middleware {
        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            var response = try await next(request, context)
            response.head.status = .ok
            response.head.headers[.cacheControl] = "max-age=60"
            return response
        }
    }
}

#if Server
extension PlantedValues {
    mutating func plantServers() async throws {
        let server = try await TestServer.start(
            [Self.stub.query("token", .present), Stub(nil, "/broken") { _ in throw Quoting(text: "PLANTED") }],
            webSockets: [.echo()])
        let client = HTTPClient(baseURL: server.baseURL)
        for path in ["/login", "/other", "/broken"] as [Path] {
            let request = Request<[String: Int]>(
                path, method: .post, query: [QueryItem("token", "PLANTED")], headers: Self.headers,
                body: .json(["password": "PLANTED"]))
            await plantThrown { try await client.send(request) }
        }
        plantEach(server.requests)
        plantEach(server.requests.map(\.outcome))
        plantEach(server.stubUses)
        plant(server, server.journal, server.configuration)
        await client.shutdown()
        await server.stop()
    }
}
#endif
