import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Synchronization
import Testing

@testable import NetStore

/// An outbox, a client and a server in memory, on a clock that the test advances.
final class OutboxPeer: Sendable {
    /// A request as received by the server.
    struct Received: Sendable {
        let target: String
        let body: String
        let key: String?
        let headers: HTTPFields
    }

    typealias Answer = @Sendable (Received, _ number: Int) async throws -> StubResponse

    let folder: TemporaryFolder
    let clock: TestClock
    let client: HTTPClient
    let outbox: Outbox
    private let log: Log

    private final class Log: Sendable {
        let received = Mutex<[Received]>([])
    }

    init(
        folder: TemporaryFolder? = nil, clock: TestClock = TestClock(), listeners: [any ActivityListener] = [],
        configure: (inout Outbox.Configuration) -> Void = { _ in }, answer: @escaping Answer
    ) throws {
        self.folder = try folder ?? TemporaryFolder(inMemory: true)
        self.clock = clock
        let log = Log()
        self.log = log
        let transport = MockTransport { request, _ in
            let body = if case .bytes(let bytes) = request.body { String(decoding: bytes, as: UTF8.self) } else { "" }
            let headers = request.head.headerFields
            let received = Received(
                target: request.url, body: body, key: headers[OutboxPeer.keyName], headers: headers)
            let number = log.received.withLock { list in
                list.append(received)
                return list.count
            }
            return try await answer(received, number)
        }
        client = HTTPClient(baseURL: "https://api.example.com/v1", transport: transport) {
            $0.headers = [.authorization: "Bearer fresh"]
            $0.listeners = listeners
            $0.clock = clock.netClock
        }
        let random = SeededRandom(seed: 7)
        var configuration = Outbox.Configuration()
        configuration.clock = clock.netClock
        configuration.random = random.netRandom
        configuration.listeners = listeners
        configure(&configuration)
        outbox = try Outbox(path: self.folder.file("outbox.sqlite"), configuration: configuration)
    }

    static let keyName: HTTPField.Name = "Idempotency-Key"

    var received: [Received] { log.received.withLock { $0 } }

    /// Runs the body while the outbox sends; then stops sending.
    func sending<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.outbox.run(through: self.client) }
            let value = try await body()
            group.cancelAll()
            try await group.waitForAll()
            return value
        }
    }

    /// Waits until a condition holds, which other tasks make true.
    func until(_ condition: @Sendable () async throws -> Bool) async throws {
        while try await !condition() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Waits until an item is in a state.
    func until(_ id: OutboxItem.ID, is state: OutboxItem.State) async throws {
        try await until { try await self.outbox.item(id: id)?.state == state }
    }

    @discardableResult
    func add(_ body: String = "tea", to path: Path = "orders", key: String? = nil) async throws -> OutboxItem.ID {
        try await outbox.add(Request<Void>(path, method: .post, body: .text(body)), orderKey: key)
    }
}
