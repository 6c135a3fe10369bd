#if Server
import NetCore
import NetSocket
import NetSocketCore

/// A foreign server, on its own port.
struct ForeignServer {
    let program: PeerProgram
    let port: Int

    /// Starts a server; port 0 chooses a free one.
    static func start(_ peers: PeerFolder, _ script: String, port: Int = 0) async throws -> ForeignServer {
        let program = try PeerProgram(peers, script, ["\(port)"])
        let line = try await within(.seconds(30)) { try await program.line(beginning: "ready ") }
        guard let port = Int(line) else { throw CaseFailure("the peer's port is \"\(line)\"") }
        return ForeignServer(program: program, port: port)
    }

    /// Returns a session with the server that reconnects quickly.
    func client(
        _ path: String, _ wire: SocketWire, compression: WebSocketCompression? = nil,
        _ change: (inout SocketClient.Configuration) -> Void = { _ in }
    ) -> SocketClient {
        var configuration = SocketClient.Configuration(wire: wire, reconnect: .constant(.milliseconds(50)))
        change(&configuration)
        return SocketClient("ws://127.0.0.1:\(port)\(path)", configuration: configuration) {
            $0.compression = compression
        }
    }
}

extension SocketClient {
    /// Waits until the session is lost, failed or open, according to the beginning of the state's description.
    func wait(for name: String) async throws {
        for try await state in states where "\(state)".hasPrefix(name) { return }
        throw CaseFailure("the session was never \(name)")
    }
}

/// Returns the failure with which a server rejected something. Throws if it didn't.
func refusal(_ work: () async throws -> Void) async throws -> SocketFailure {
    do {
        try await work()
    } catch SocketCommandError.rejected(let failure) {
        return failure
    }
    throw CaseFailure("it was not refused")
}
#endif
