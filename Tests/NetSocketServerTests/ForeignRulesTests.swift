#if Server
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import Testing

/// The requirements of wire protocols for a server beyond the responses of its handlers, as seen by a client.
@Suite(.timeLimit(.minutes(5))) struct ForeignRulesTests {
    private struct Sum: SocketCommand {
        static let event = "sum"
        var numbers: [Int]
        struct Response: Codable, Sendable { var sum: Int }
    }

    private struct Crash: Error {}

    private static var router: SocketRouter<Void> {
        var router = SocketRouter<Void>()
        router.on(Sum.self) { command, _ in Sum.Response(sum: command.numbers.reduce(0, +)) }
        router.on("crash") { _, _ in throw Crash() }
        router.onOpening { payload, _ in
            if payload?.json?.contains("wrong") == true { throw SocketFailure("FORBIDDEN", "wrong token") }
            return nil
        }
        router.onSubscription { _, events in try await events.send(SocketPayload(json: #"{"data":{"n":1}}"#)) }
        router.channel("*")
        router.on("greet") { payload, context in
            try await context.connection.push("greeting", payload, in: context.topic ?? "")
            return nil
        }
        return router
    }

    /// Connects to a server of a wire protocol, and serves it until the body returns.
    private func withSocket(
        _ wire: SocketWire, _ body: @escaping @Sendable (WebSocketConnection) async throws -> Void
    ) async throws {
        var configuration = SocketServerConfiguration()
        configuration.wires = ["/socket": wire]
        let server = SocketServer(router: Self.router, configuration: configuration)
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            var request = WebSocketRequest(url: "\(try await server.address.url)/socket")
            request.subprotocols = wire.subprotocols
            let socket = try await WebSocketClient().connect(request)
            try await body(socket)
            await socket.close()
            server.stop()
            try await group.waitForAll()
        }
    }

    private static func texts(_ socket: WebSocketConnection, _ count: Int) async throws -> [String] {
        var texts: [String] = []
        for _ in 0..<count { texts.append(try await socket.receive().text ?? "") }
        return texts
    }

    /// Returns the code of the closing handshake that a server begins.
    private static func closeCode(_ socket: WebSocketConnection) async -> WebSocketCloseCode? {
        while true {
            do { _ = try await socket.receive() } catch { return error.closure?.code }
        }
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","method":"unheard","id":1}"#, -32601),
        (#"{"jsonrpc":"2.0","method":"sum","id":1}"#, -32602),
        (#"{"jsonrpc":"2.0","method":"crash","id":1}"#, -32603),
    ]) func commandsOfJSONRPCAreRefusedByItsCodes(command: String, code: Int) async throws {
        try await withSocket(.jsonRPC) { socket in
            try await socket.send(command)
            let reply = try await socket.receive().text ?? ""
            #expect(reply.contains("\"code\":\(code),"), "\(reply)")
            // The client's values and the error's details aren't sent.
            #expect(!reply.contains("Crash"))
            #expect(!reply.contains("numbers"))
        }
    }

    @Test func appSyncIsToldThatASubscriptionHasBegun() async throws {
        try await withSocket(.appSync) { socket in
            try await socket.send(#"{"type":"connection_init"}"#)
            try await socket.send(#"{"id":"1","type":"start","payload":{"data":"{}"}}"#)
            #expect(
                try await Self.texts(socket, 4) == [
                    #"{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}"#,
                    #"{"id":"1","type":"start_ack"}"#, #"{"id":"1","type":"data","payload":{"data":{"n":1}}}"#,
                    #"{"id":"1","type":"complete"}"#,
                ])
        }
    }

    @Test(arguments: [(SocketWire.graphQLTransport, 4403), (.graphQLLegacy, 4401)] as [(SocketWire, UInt16)])
    func anOpeningOfGraphQLIsRefused(wire: SocketWire, code: UInt16) async throws {
        try await withSocket(wire) { socket in
            try await socket.send(#"{"type":"connection_init","payload":{"token":"wrong"}}"#)
            #expect(await Self.closeCode(socket)?.rawValue == code)
        }
    }

    @Test func aClientOfSocketIOMayJoinWithoutTheDefaultNamespace() async throws {
        try await withSocket(.socketIO) { socket in
            _ = try await socket.receive()
            try await socket.send(#"40/admin,{"token":"right"}"#)
            try await socket.send(#"42/admin,7["sum",{"numbers":[1,2]}]"#)
            let texts = try await Self.texts(socket, 2)
            #expect(texts[0].hasPrefix(#"40/admin,{"sid":""#))
            #expect(texts[1] == #"43/admin,7[{"sum":3}]"#)
        }
    }

    /// Phoenix's clients treat a push without the reference of a join as one to the whole channel.
    @Test func aPushToOneMemberNamesItsJoin() async throws {
        try await withSocket(.phoenixV2) { socket in
            try await socket.send(#"["5","5","room","phx_join",{}]"#)
            try await socket.send(#"["5","6","room","greet",{"a":1}]"#)
            #expect(
                try await Self.texts(socket, 3).dropFirst() == [
                    #"["5",null,"room","greeting",{"a":1}]"#,
                    #"["5","6","room","phx_reply",{"status":"ok","response":{}}]"#,
                ])
        }
    }
}
#endif
