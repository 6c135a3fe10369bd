#if Tools && Server
internal import Foundation
internal import NetCore
internal import NetHTTP
internal import NetTestServer
internal import NetTesting

/// A peer and a folder for one scenario or command. The lab's tally doesn't count its calls.
struct Workbench: Sendable {
    let peer: LabPeer
    let folder: String

    var baseURL: BaseURL { peer.baseURL }
    var transport: any HTTPTransport { peer.transport }
    /// The requests that arrived, oldest first.
    var requests: [StubRequest] { peer.requests }

    /// Returns a client for the peer, with some middleware.
    func client(_ middleware: any Middleware...) throws -> HTTPClient {
        HTTPClient(baseURL: baseURL, transport: transport) { $0.middleware = middleware }
    }

    /// Calls `body` with a workbench and removes it afterward, also after an error.
    static func with<Value: Sendable>(
        _ mode: LabMode, _ stubs: [Stub], webSockets: [WebSocketStub] = [],
        _ body: (Workbench) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("net-lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let peer = try await LabPeer.start(mode, stubs, webSockets: webSockets)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(Workbench(peer: peer, folder: folder.path)))
        } catch {
            result = .failure(error)
        }
        await peer.stop()
        try FileManager.default.removeItem(at: folder)
        return try result.get()
    }
}

extension Scenario {
    /// Creates a scenario with its own workbench.
    init(
        _ name: String, _ summary: String, expect expected: String, needsWire: Bool = false, with stubs: [Stub],
        run: @escaping @Sendable (Workbench) async throws -> String
    ) {
        self.init(name, summary, expect: expected, needsWire: needsWire) { lab in
            try await Workbench.with(lab.peer.mode, stubs, run)
        }
    }
}
#endif
