#if Tools && Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport

@testable import NetStore

/// A server on loopback, and a store with the calls that a client made to it.
struct ReplayBench: Sendable {
    let server: TestServer
    let folder: TemporaryFolder

    var file: String { folder.file() }

    /// Runs `body` with a server, and stops it afterward, also after an error.
    static func run(_ stubs: [Stub], _ body: (ReplayBench) async throws -> Void) async throws {
        let bench = ReplayBench(server: try await TestServer.start(stubs), folder: try TemporaryFolder())
        do {
            try await body(bench)
        } catch {
            await bench.server.stop()
            throw error
        }
        await bench.server.stop()
    }

    /// Sends a request with a client whose store captures it, and returns the ID of the call.
    @discardableResult
    func record(
        _ request: Request<Bytes>, capture: ActivityStore.Capture = .bodies, limit: Int = 256 << 10
    ) async throws -> String {
        let ids = try await record([request], capture: capture, limit: limit)
        return ids.first ?? ""
    }

    /// Sends several requests as one run.
    @discardableResult
    func record(
        _ requests: [Request<Bytes>], capture: ActivityStore.Capture = .bodies, limit: Int = 256 << 10
    ) async throws -> [String] {
        var settings = ActivityStore.Configuration(maximumBodyBytes: limit, capture: capture)
        settings.retention = .none
        let store = try ActivityStore(path: file, configuration: settings)
        let client = HTTPClient(baseURL: server.baseURL) { $0.listeners = [store] }
        var ids: [String] = []
        for var request in requests {
            request.options.validation = .any
            do throws(NetError) {
                _ = try await client.raw(request)
            } catch {
                // A failed call is stored as well.
            }
        }
        try await store.flush()
        ids = try await store.items(limit: requests.count).map { $0.uid.description }.reversed()
        try await store.close()
        return ids
    }

    /// Runs a command of `net-activity` with the file.
    func run(
        _ command: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Command {
        try await Command.offPool([command, file] + arguments, environment: environment)
    }

    func replay(_ arguments: String..., environment: [String: String] = [:]) async throws -> Command {
        try await run("replay", arguments, environment: environment)
    }

    /// Writes a file beside the store and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        let path = folder.file(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }
}

extension Command {
    /// Runs `net-activity` on a separate thread: the responding server needs the threads of the tasks.
    static func offPool(_ words: [String], environment: [String: String] = [:]) async throws -> Command {
        let all = ProcessInfo.processInfo.environment.merging(["no_proxy": "*", "NO_PROXY": "*"]) { $1 }
            .merging(environment) { $1 }
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try run(product("net-activity"), words, environment: all) })
            }
        }
    }
}

/// A response that the test can change.
final class ChangingAnswer: Sendable {
    private let current: Locked<StubResponse>

    init(_ response: StubResponse) { current = Locked(response) }

    func change(to response: StubResponse) { current.change { $0 = response } }

    func stub(_ method: HTTPRequest.Method, _ path: PathTemplate) -> Stub {
        Stub(method, path) { [current] _ in current.value }
    }
}
#endif
