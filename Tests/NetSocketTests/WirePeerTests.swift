#if os(Linux) && Server
import Foundation
import NetCore
import NetSocket
import NetSocketCore
import TestSupport
import Testing

/// Wire protocols with servers in use: aria2 speaks JSON-RPC, python-socketio Socket.IO.
@Suite(.timeLimit(.minutes(1)))
struct WirePeerTests {
    private static let quick = ReconnectPolicy.constant(.milliseconds(20))

    // MARK: JSON-RPC

    private static let aria2 = SystemProgram("aria2c")

    private static func startAria2(_ port: Int) async throws -> ChildProcess {
        try await offPool {
            let process = try ChildProcess.daemon(
                aria2.path ?? "aria2c",
                [
                    "--no-conf=true", "--enable-rpc=true", "--rpc-listen-port=\(port)", "--quiet=true",
                    "--dir=\(NSTemporaryDirectory())",
                ])
            try ChildProcess.wait(forPorts: [port], of: "aria2c")
            return process
        }
    }

    private struct GetVersion: SocketCommand {
        static let event = "aria2.getVersion"
        struct Response: Codable, Sendable {
            var version: String
            var enabledFeatures: [String]
        }

        init() {}
        init(from decoder: any Decoder) throws {}
        // Its parameters are an empty list.
        func encode(to encoder: any Encoder) throws { _ = encoder.unkeyedContainer() }
    }

    private struct AddURI: SocketCommand {
        static let event = "aria2.addUri"
        typealias Response = String
        var addresses: [String]

        init(_ addresses: [String]) { self.addresses = addresses }
        init(from decoder: any Decoder) throws { addresses = [] }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(addresses)
        }
    }

    private struct NoSuchMethod: SocketCommand {
        static let event = "aria2.noSuchMethod"
        typealias Response = NoResponse

        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws { _ = encoder.unkeyedContainer() }
    }

    @Test(.enabled(if: aria2.path != nil)) func aria2AnswersRefusesAndNotifies() async throws {
        let port = try Listener.freePort()
        let process = try await Self.startAria2(port)
        try await Fixture.run { fixture in
            let client = SocketClient(
                "ws://127.0.0.1:\(port)/jsonrpc", client: fixture.client,
                configuration: .init(wire: .jsonRPC, reconnect: Self.quick))
            try await client.withConnection { client in
                let version = try await client.send(GetVersion())
                #expect(version.version.hasPrefix("1."))
                #expect(version.enabledFeatures.contains("HTTPS"))
                let error = await #expect(throws: SocketCommandError.self) { try await client.send(NoSuchMethod()) }
                guard case .rejected(let failure)? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(failure.message.contains("No such method"))
                let events = client.events()
                let id = try await client.send(AddURI(["http://127.0.0.1:1/nothing"]))
                for try await event in events {
                    guard case .push(let push) = event else { continue }
                    #expect(push.event.hasPrefix("aria2.onDownload"))
                    #expect(push.payload?.json?.contains(id) == true)
                    break
                }
                // Many concurrently.
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<50 { group.addTask { try await client.send(GetVersion()).version } }
                    for try await found in group { #expect(found == version.version) }
                }
            }
        }
        process.stop()
    }

    @Test(.enabled(if: aria2.path != nil)) func aSessionFindsAria2AgainAfterItsEnd() async throws {
        let port = try Listener.freePort()
        let first = try await Self.startAria2(port)
        try await Fixture.run { fixture in
            let client = SocketClient(
                "ws://127.0.0.1:\(port)/jsonrpc", client: fixture.client,
                configuration: .init(wire: .jsonRPC, reconnect: Self.quick))
            client.start()
            let version = try await client.send(GetVersion()).version
            first.stop()
            for try await state in client.states { if case .waiting = state { break } }
            let second = try await Self.startAria2(port)
            #expect(try await client.send(GetVersion()).version == version)
            client.close()
            second.stop()
        }
    }

    // MARK: Socket.IO

    private static let hasSocketIO: Bool = {
        guard let child = try? ChildProcess("/usr/bin/python3", ["-c", "import socketio, aiohttp; print('yes')"]) else {
            return false
        }
        defer { child.stop() }
        return (try? child.lines { $0 == "yes" }) != nil
    }()

    private static func startSocketIO() async throws -> (process: ChildProcess, url: String) {
        let port = try Listener.freePort()
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/websocket/socketio_peer.py")
        let process = try await offPool {
            let process = try ChildProcess("/usr/bin/python3", [script.path, "\(port)"])
            _ = try process.lines { $0 == "ready" }
            return process
        }
        return (process, "ws://127.0.0.1:\(port)/socket.io/?EIO=4&transport=websocket")
    }

    private struct Echo: SocketCommand {
        static let event = "echo"
        typealias Response = JSONValue
        var text: String
    }

    private struct Announce: SocketPush {
        static let event = "announce"
        var text: String
    }

    private struct News: SocketPush {
        static let event = "news"
        var text: String
    }

    private struct Kick: SocketPush {
        static let event = "kick"
        var now = true
    }

    private static func client(
        _ url: String, _ fixture: Fixture, token: String = "right"
    ) -> SocketClient {
        var configuration = SocketClient.Configuration(wire: .socketIO, reconnect: quick)
        configuration.openPayload = { try SocketPayload(["token": token]) }
        return SocketClient(url, client: fixture.client, configuration: configuration)
    }

    @Test(.enabled(if: hasSocketIO)) func socketIOAcknowledgesEmitsAndHasNamespaces() async throws {
        let (process, url) = try await Self.startSocketIO()
        try await Fixture.run { fixture in
            try await Self.client(url, fixture).withConnection { client in
                #expect(try await client.send(Echo(text: "hé")) == ["text": "hé"])
                let news = client.pushes(of: News.self)
                try await client.notify(Announce(text: "now"))
                var iterator = news.makeAsyncIterator()
                #expect(try await iterator.next()?.text == "now")
                let admin = try await client.join("/admin") { ["key": "open"] }
                #expect(try await admin.send(Echo(text: "x")) == ["admin": ["text": "x"]])
                try await admin.leave()
                // Longer than two of its ping intervals: the pings get their pongs.
                try await Task.sleep(for: .seconds(3.5))
                #expect(try await client.send(Echo(text: "still here")) == ["text": "still here"])
                #expect(client.state.isOpen)
            }
        }
        process.stop()
    }

    @Test(.enabled(if: hasSocketIO)) func socketIORefusesWhatItShould() async throws {
        let (process, url) = try await Self.startSocketIO()
        try await Fixture.run { fixture in
            try await Self.client(url, fixture).withConnection { client in
                let error = await #expect(throws: SocketCommandError.self) { try await client.join("/admin") }
                guard case .rejected(let failure)? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(failure.message.contains("members only"))
            }
            let refused = Self.client(url, fixture, token: "wrong")
            let error = await #expect(throws: NetError.self) { try await refused.run() }
            #expect(error?.code == .webSocketClosed)
            if case .failed = refused.state {} else { Issue.record("\(refused.state)") }
        }
        process.stop()
    }
}
#endif
