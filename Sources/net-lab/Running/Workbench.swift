#if Tools && Server
internal import Foundation
internal import NetCore
internal import NetHTTP
internal import NetTestServer
internal import NetTesting

/// What a scenario has to itself: a server, a transport and a folder. The shop's tally has no part in it.
struct Workbench: Sendable {
    let server: TestServer
    let transport: CurlTransport
    let folder: String

    /// A client of the server, by way of some middleware.
    func client(_ middleware: any Middleware...) throws -> HTTPClient {
        HTTPClient(baseURL: server.baseURL, transport: transport) { $0.middleware = middleware }
    }

    /// Lends a workbench to `body` and clears it away, whatever comes of it.
    static func with<Value: Sendable>(
        _ stubs: [Stub], _ body: (Workbench) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("net-lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let server = try await TestServer.start(stubs)
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        let transport = CurlTransport(configuration: configuration)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(Workbench(server: server, transport: transport, folder: folder.path)))
        } catch {
            result = .failure(error)
        }
        await transport.shutdown()
        await server.stop()
        try FileManager.default.removeItem(at: folder)
        return try result.get()
    }
}

extension Scenario {
    /// A scenario with a workbench of its own.
    init(
        _ name: String, _ summary: String, expect expected: String, with stubs: [Stub],
        run: @escaping @Sendable (Workbench) async throws -> String
    ) {
        self.init(name, summary, expect: expected) { _ in try await Workbench.with(stubs, run) }
    }
}
#endif
