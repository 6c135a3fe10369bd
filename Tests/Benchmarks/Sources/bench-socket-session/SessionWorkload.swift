import Foundation
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import SocketWorkload

struct Say: SocketCommand {
    static let event = "chat.send"
    struct Response: Codable, Sendable {
        var id: Int
        var text: String
    }
    var id: Int
    var text = "Hello, how are you? Fine, thank you, and you?"
}

/// The measured workloads: a session, or one to compare it with.
enum SessionWorkload: String, CaseIterable, Sendable {
    /// A command and its reply, one after another, in memory; messages of the same length in both directions; the
    /// coding of its types.
    case command, raw, coding
    /// The same over a loopback socket.
    case commandSocket = "command-socket"
    case rawSocket = "raw-socket"
    /// Pushes without a handler; received messages of the same length.
    case push
    case rawPush = "raw-push"
    /// Envelopes of the default wire protocol.
    case encode, decode

    /// A message of the same length as an envelope.
    static let envelope =
        #"{"event":"chat.send","requestId":"1234567","payload":{"id":123456,"text":"\#(Say(id: 1).text)"}}"#
    static let pushText =
        #"{"event":"chat.message","payload":{"id":123456,"text":"\#(Say(id: 1).text)"}}"#

    /// Runs the workload `count` times. Returns the usage at its beginning if that was later than the call.
    func run(_ count: Int) async throws -> ProcessUsage? {
        switch self {
        case .command:
            return try await Self.session(MockWebSocketTransport([Self.commands]), "ws://a.test/") {
                try await Self.send($0, count)
            }
        case .raw:
            return try await Self.connection(MockWebSocketTransport([.echo("/")]), "ws://a.test/") {
                try await Self.echo($0, count)
            }
        case .coding:
            for id in 0..<count {
                let data = try JSONEncoder().encode(Say(id: id))
                guard try JSONDecoder().decode(Say.Response.self, from: data).id == id else { throw Lost() }
            }
            return nil
        case .commandSocket:
            return try await Self.server([Self.commands]) { url in
                try await Self.session(CurlWebSocketTransport(), url) { try await Self.send($0, count) }
            }
        case .rawSocket:
            return try await Self.server([.echo("/")]) { url in
                try await Self.connection(CurlWebSocketTransport(), url) { try await Self.echo($0, count) }
            }
        case .push:
            return try await Self.session(MockWebSocketTransport([Self.pushes(count)]), "ws://a.test/") { client in
                guard try await client.send(Say(id: 7), timeout: .seconds(60)).id == 7 else { throw Lost() }
            }
        case .rawPush:
            return try await Self.connection(MockWebSocketTransport([Self.pushes(count)]), "ws://a.test/") { socket in
                try await socket.send(Self.envelope)
                for _ in 0...count { _ = try await socket.receive() }
            }
        case .encode:
            var machine = SocketWire.json.makeMachine(.client)
            let payload = try SocketPayload(Say(id: 123_456))
            var bytes = 0
            for id in 0..<UInt64(count) {
                let request = WireRequest(id: .number(id), event: Say.event, payload: payload)
                for message in try machine.encode(.request(request)) { bytes += message.count }
            }
            if bytes == 0 { throw Lost() }
            return nil
        case .decode:
            var machine = SocketWire.json.makeMachine(.server)
            for _ in 0..<count where try machine.decode(.text(Self.envelope)).signals.count != 1 { throw Lost() }
            return nil
        }
    }

    /// A message didn't arrive, or a different one did.
    struct Lost: Error {}

    // MARK: Client

    private static func session(
        _ transport: any WebSocketTransport, _ url: String, _ body: (SocketClient) async throws -> Void
    ) async throws -> ProcessUsage {
        let client = SocketClient(url, client: WebSocketClient(transport: transport))
        let start = try await client.withConnection { client in
            for try await state in client.states where state.isOpen { break }
            let start = ProcessUsage.now
            try await body(client)
            return start
        }
        return start
    }

    private static func connection(
        _ transport: any WebSocketTransport, _ url: String, _ body: (WebSocketConnection) async throws -> Void
    ) async throws -> ProcessUsage {
        let socket = try await WebSocketClient(transport: transport).connect(url)
        let start = ProcessUsage.now
        try await body(socket)
        await socket.close()
        return start
    }

    private static func send(_ client: SocketClient, _ count: Int) async throws {
        for id in 0..<count where try await client.send(Say(id: id)).id != id { throw Lost() }
    }

    private static func echo(_ socket: WebSocketConnection, _ count: Int) async throws {
        for _ in 0..<count {
            try await socket.send(envelope)
            guard try await socket.receive().count == envelope.utf8.count else { throw Lost() }
        }
    }

    // MARK: Server

    private static func server<Value: Sendable>(
        _ stubs: [WebSocketStub], _ body: (String) async throws -> Value
    ) async throws -> Value {
        let server = try await TestServer.start(webSockets: stubs)
        let value = try await body(server.webSocketURL + "/")
        await server.stop()
        return value
    }

    /// Responds to each command with its own payload.
    private static var commands: WebSocketStub {
        WebSocketStub("/") { peer in
            var machine = SocketWire.json.makeMachine(.server)
            while let message = try await peer.receive() {
                for signal in try machine.decode(message).signals {
                    guard case .request(let request) = signal, let id = request.id else { continue }
                    let reply = WireReply(id: id, event: request.event, .success(request.payload))
                    for message in try machine.encode(.reply(reply)) { try await peer.send(message) }
                }
            }
        }
    }

    /// Sends the given number of pushes before it responds.
    private static func pushes(_ count: Int) -> WebSocketStub {
        WebSocketStub("/") { peer in
            var machine = SocketWire.json.makeMachine(.server)
            while let message = try await peer.receive() {
                for _ in 0..<count { try await peer.send(.text(pushText)) }
                for case .request(let request) in try machine.decode(message).signals {
                    guard let id = request.id else { continue }
                    let reply = WireReply(id: id, event: request.event, .success(request.payload))
                    for message in try machine.encode(.reply(reply)) { try await peer.send(message) }
                }
            }
        }
    }
}
