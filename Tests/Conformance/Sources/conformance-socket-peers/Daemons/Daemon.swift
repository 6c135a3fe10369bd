#if Server
import Foundation
import NetCore
import NetSocket
import NetSocketCore
import Synchronization

/// A real daemon, which `daemons.py` starts, stops, and starts again on the same port.
final class Daemon: Sendable {
    /// The line of the script about the daemon.
    private struct Facts: Decodable {
        var url: String?
        var version: String?
        var extra: [String: String]?
        var skipped: String?
    }

    /// The reason why this machine can't run the daemon.
    struct Skipped: Error {
        let reason: String
    }

    let version: String
    private let program: PeerProgram
    private let place: Mutex<(url: String, extra: [String: String])>

    private init(_ program: PeerProgram, _ facts: Facts) throws {
        guard let url = facts.url else { throw Skipped(reason: facts.skipped ?? "it has no URL") }
        self.program = program
        version = facts.version ?? "unknown"
        place = Mutex((url, facts.extra ?? [:]))
    }

    /// Starts a daemon by its name. Throws ``Skipped`` if it can't be started on this machine.
    static func start(_ peers: PeerFolder, _ name: String) async throws -> Daemon {
        let program = try PeerProgram(peers, "daemons.py", [name], python: peers.daemonPython)
        return try Daemon(program, try await facts(of: program))
    }

    private static func facts(of program: PeerProgram) async throws -> Facts {
        let line = try await within(.seconds(90)) { try await program.line(beginning: "{") }
        return try JSONDecoder().decode(Facts.self, from: Data("{\(line)".utf8))
    }

    /// The URL, which may have a path.
    var url: String { place.withLock { $0.url } }

    subscript(name: String) -> String { place.withLock { $0.extra[name] ?? "" } }

    func stop() async throws {
        program.say("stop")
        _ = try await within(.seconds(60)) { [program] in try await program.line(beginning: #"{"stopped""#) }
    }

    func startAgain() async throws {
        program.say("start")
        let facts = try await Self.facts(of: program)
        place.withLock { $0 = (facts.url ?? $0.url, facts.extra ?? $0.extra) }
    }

    /// Returns a session that reconnects quickly.
    func session(
        _ wire: SocketWire, path: String = "", _ change: (inout SocketClient.Configuration) -> Void = { _ in }
    ) -> SocketClient {
        var configuration = SocketClient.Configuration(wire: wire, reconnect: .constant(.milliseconds(100)))
        change(&configuration)
        let sockets = WebSocketClient()
        return SocketClient(client: sockets, configuration: configuration) { [self] _ in
            WebSocketRequest(url: url + path)
        }
    }

    func connect(
        _ path: String = "", subprotocols: [String] = [], compression: WebSocketCompression? = nil
    ) async throws -> WebSocketConnection {
        var request = WebSocketRequest(url: url + path, subprotocols: subprotocols, connectTimeout: .seconds(5))
        request.compression = compression
        return try await WebSocketClient().connect(request)
    }
}

/// The cases of one daemon.
struct DaemonPeer {
    let daemon: Daemon
    let cases: CaseList

    /// Runs cases, or says why they are skipped.
    static func run(
        _ peers: PeerFolder, _ name: String, _ body: (DaemonPeer) async throws -> Void
    ) async throws -> CaseList {
        do {
            let daemon = try await Daemon.start(peers, name)
            let cases = CaseList("\(name) \(daemon.version)")
            try await body(DaemonPeer(daemon: daemon, cases: cases))
            return cases
        } catch let skipped as Daemon.Skipped {
            let cases = CaseList(name)
            cases.skip(skipped.reason)
            return cases
        }
    }

    /// Counts the connections of a session while it is used; one is all that a case without a loss may have.
    static func reconnects(of client: SocketClient) -> Task<Int, any Error> {
        let states = client.states
        return Task {
            var count = 0
            for try await case .waiting in states { count += 1 }
            return count
        }
    }
}
#endif
