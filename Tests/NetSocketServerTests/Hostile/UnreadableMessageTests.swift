#if Server
import NetCore
import NetSocket
import NetSocketCore
import NetSocketServer
import NetTesting
import TestSupport
import Testing

/// Messages that a server can't read: the client gets the wire's error, or a close code.
@Suite(.timeLimit(.minutes(1))) struct UnreadableMessageTests {
    private static let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)

    /// Sends a message to a server of a wire, and returns the next message or the error of the end.
    private func response(
        to message: WebSocketMessage, _ wire: SocketWire, after opening: String? = nil, untilTheEnd: Bool = false,
        watched watcher: Watcher = Watcher(), metrics: SocketServerMetrics? = nil
    ) async throws -> Result<String, NetError> {
        let result = Locked<Result<String, NetError>?>(nil)
        var router = SocketRouter<User>()
        router.on(Say.self) { command, _ in Say.Response(text: command.text) }
        router.onSubscription { _, _ in }
        try await ServerWorld.run(router, subprotocols: wire.subprotocols) {
            $0.wires = ["*": wire]
            $0.listeners = [watcher]
            if let metrics { $0.metrics = metrics }
        } body: { world in
            let socket = try await world.socket(subprotocols: wire.subprotocols)
            if let opening {
                try await socket.send(.text(opening))
                _ = try await socket.receive()
            }
            try await socket.send(message)
            do throws(NetError) {
                repeat {
                    let text = try await socket.receive().text ?? ""
                    result.change { $0 = .success(text) }
                } while untilTheEnd
            } catch {
                result.change { $0 = .failure(error) }
            }
            await world.wait { watcher.lines.contains("unreadable \(message.count)") }
        }
        return result.value ?? .success("")
    }

    @Test(arguments: [
        WebSocketMessage.text("hello"), .text("{}"), .text(#"{"event":7}"#), .text("[1]"), .text(Self.deep), .text(""),
        .text("{\"event\":\"say\",\"payload\":\(Self.deep)}"), .binary(Bytes([1, 2, 3])),
        .text(#"{"event":"channel.join","payload":{"topic":"room:1"}}"#),
    ])
    func aJSONClientGetsAnError(_ message: WebSocketMessage) async throws {
        let text = try await response(to: message, .json).get()
        #expect(text.hasPrefix(#"{"event":"error","status":"error","payload":{"error":{"code":"unreadable_message","#))
    }

    @Test(arguments: [
        (#"{"event":"channel.join","requestId":"7","payload":{}}"#, #""requestId":"7""#, "topic"),
        (#"{"event":"channel.join","requestId":7}"#, #""requestId":7"#, "topic"),
        (#"{"event":"channel.leave","requestId":"a"}"#, #""requestId":"a""#, "topic"),
        (#"{"requestId":"9","payload":{}}"#, #""requestId":"9""#, "event"),
    ])
    func theErrorHasTheRequestsID(_ message: String, _ id: String, _ word: String) async throws {
        let text = try await response(to: .text(message), .json).get()
        #expect(text.contains(id), "\(text)")
        #expect(text.contains(word), "\(text)")
    }

    @Test(arguments: ["hello", "{", Self.deep, "7"]) func aJSONRPCClientGetsAParseError(_ message: String) async throws
    {
        let text = try await response(to: .text(message), .jsonRPC).get()
        #expect(text.contains(#""id":null"#), "\(text)")
        #expect(text.contains("-32"), "\(text)")
    }

    @Test(
        arguments: [
            (WebSocketMessage.text("hello"), SocketWire.phoenixV2, nil, 1007),
            (.binary(Bytes([9])), .phoenixV2, nil, 1003),
            (.text("[1,2]"), .phoenixV2, nil, 1007),
            (.text("hello"), .graphQLTransport, #"{"type":"connection_init"}"#, 4400),
            (.binary(Bytes([1])), .graphQLTransport, #"{"type":"connection_init"}"#, 4400),
            (.text("hello"), .centrifuge, nil, 3501), (.text("9hello"), .socketIO, nil, 1007),
        ] as [(WebSocketMessage, SocketWire, String?, UInt16)])
    func theConnectionIsClosedIfTheWireHasNoError(
        _ message: WebSocketMessage, _ wire: SocketWire, _ opening: String?, _ code: UInt16
    ) async throws {
        let result = try await response(to: message, wire, after: opening, untilTheEnd: true)
        let error = #expect(throws: NetError.self) { try result.get() }
        #expect(error?.closure?.code.rawValue == code, "\(result)")
    }

    @Test func itIsReportedAndCounted() async throws {
        let (watcher, metrics) = (Watcher(), SocketServerMetrics())
        _ = try await response(to: .text("hello"), .json, watched: watcher, metrics: metrics)
        #expect(watcher.lines.contains("unreadable 5"))
        #expect(metrics.text().contains("unreadable"))
    }

    // MARK: IDs

    @Test(arguments: ["7", #""7""#, #""a-b""#, "-1", "1.5", #""-1""#, "12345678901234567890", #""\"a""#])
    func aReplyHasTheIDWithItsType(_ id: String) async throws {
        var router = SocketRouter<User>()
        router.on(Say.self) { command, _ in Say.Response(text: command.text) }
        try await ServerWorld.run(router) { world in
            let socket = try await world.socket()
            try await socket.send(.text(#"{"event":"say","requestId":\#(id),"payload":{"text":"x"}}"#))
            let text = try await socket.receive().text
            #expect(text?.contains(#""requestId":\#(id),"#) == true, "\(text ?? "")")
        }
    }
}
#endif
