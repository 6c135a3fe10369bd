#if Server
import NetCore
import NetSocket
import NetSocketCore

/// Servers that send each message back.
enum EchoPeers {
    /// The end of a connection that a server closes by itself.
    struct Ways {
        var echo = "/echo"
        /// The path of a refusal with a body; nil if the server has none.
        var refusal: String? = "/refuse"
        /// The path at which the server closes with 4001; nil if it has none.
        var close: String? = "/close?code=4001"
        /// Nil if the server picks no subprotocol that wasn't offered.
        var subprotocol: String?
        var isBinary = false
    }

    static func run(_ peers: PeerFolder, _ name: String, _ ways: Ways = Ways()) async throws -> CaseList {
        try await DaemonPeer.run(peers, name) { peer in
            await echoes(peer, ways)
            await ends(peer, ways)
            await refusals(peer, ways)
            await peer.cases.run("stop and return under a session", limit: .seconds(60)) {
                try await returns(peer.daemon, ways)
            }
        }
    }

    private static let compressions: [(String, WebSocketCompression?)] = [
        ("no compression", nil), ("compression", WebSocketCompression(minimumBytes: 0)),
        ("compression without context", .withoutContext),
        ("a small window", WebSocketCompression(receiving: .init(windowBits: 10), minimumBytes: 0)),
    ]

    private static func echoes(_ peer: DaemonPeer, _ ways: Ways) async {
        for (name, compression) in compressions {
            await peer.cases.run("echo with \(name)") { [daemon = peer.daemon] in
                let socket = try await daemon.connect(ways.echo, compression: compression)
                for number in 1...5 {
                    let text = String(repeating: "hello \(number) ", count: 400 * number)
                    try await socket.send(ways.isBinary ? .binary(Bytes(text.utf8)) : .text(text))
                    var received = Bytes()
                    while received.count < text.utf8.count {
                        let message = try await socket.receive()
                        received = Bytes(Array(received) + Array(message.binary ?? Bytes((message.text ?? "").utf8)))
                    }
                    try expect(String(decoding: received, as: UTF8.self), is: text)
                }
                await socket.close()
            }
        }
        await peer.cases.run("ping") { [daemon = peer.daemon] in
            let socket = try await daemon.connect(ways.echo)
            for _ in 1...12 { try await socket.ping(timeout: .seconds(5)) }
            await socket.close()
        }
    }

    private static func ends(_ peer: DaemonPeer, _ ways: Ways) async {
        await peer.cases.run("close from here") { [daemon = peer.daemon] in
            let socket = try await daemon.connect(ways.echo)
            await socket.close(try CloseFrameCode(4002), reason: "done")
            let closure = try await closure(of: socket)
            try expect(!closure.isByPeer, "\(closure)")
            // A server that replies with another code, or with none, hasn't confirmed ours.
            try expect([4002, 1000, 1005, 1006].contains(closure.code.rawValue), "\(closure)")
            if closure.code == .abnormalClosure { try expect(closure.sentCode?.rawValue, is: 4002) }
        }
        guard let path = ways.close else { return }
        await peer.cases.run("close from there") { [daemon = peer.daemon] in
            let closure = try await closure(of: try await daemon.connect(path))
            try expect(closure.code.rawValue, is: 4001)
            try expect(closure.isByPeer, "\(closure)")
        }
    }

    private static func closure(of socket: WebSocketConnection) async throws -> WebSocketClosure {
        do throws(NetError) {
            while true { _ = try await socket.receive() }
        } catch {
            guard let closure = error.closure else { throw CaseFailure("\(error)") }
            return closure
        }
    }

    private static func refusals(_ peer: DaemonPeer, _ ways: Ways) async {
        if let path = ways.refusal {
            await peer.cases.run("a refusal has its body") { [daemon = peer.daemon] in
                do throws(NetError) {
                    _ = try await WebSocketClient().connect(WebSocketRequest(url: daemon.url + path))
                } catch {
                    try expect(error.status, is: 403)
                    let body = error.response.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
                    try expect(body.filter { $0 != " " }, is: #"{"why":"because"}"#)
                    return
                }
                throw CaseFailure("it was not refused")
            }
        }
        if let path = ways.subprotocol {
            await peer.cases.run("a subprotocol that wasn't offered is named") { [daemon = peer.daemon] in
                do { _ = try await daemon.connect(path) } catch {
                    try expect("\(error)".contains("unheard-of"), "\(error)")
                    return
                }
                throw CaseFailure("it was accepted")
            }
        }
    }

    /// A message that a server returns, in a session without an envelope.
    private struct Hello: SocketSubscription {
        typealias Event = String
        let isBinary: Bool
        func payload(_ coding: JSONCoding) -> SocketPayload {
            isBinary ? SocketPayload(bytes: Bytes("\"hello\"".utf8)) : SocketPayload(json: "\"hello\"")
        }
        func event(in payload: SocketPayload, _ coding: JSONCoding) -> String? {
            payload.bytes.elementsEqual("\"hello\"".utf8) ? "hello" : nil
        }
    }

    private static func returns(_ daemon: Daemon, _ ways: Ways) async throws {
        let client = daemon.session(.raw, path: ways.echo)
        try await client.withConnection { client in
            var events = client.subscribe(Hello(isBinary: ways.isBinary)).makeAsyncIterator()
            _ = try await events.next()
            try await daemon.stop()
            try await client.wait(for: "waiting")
            try await daemon.startAgain()
            _ = try await events.next()
        }
    }
}
#endif
