import Foundation
import HTTPTypes
import NetCore
import NetSocket
import NetTesting
import Synchronization

/// A folder that is removed with the test.
final class TemporaryFolder: Sendable {
    let path = NSTemporaryDirectory() + "net-testing-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func text(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: file(name)), encoding: .utf8)
    }
}

/// A value behind a lock.
final class Locked<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in body(&value) }
    }
}

extension WebSocketClient {
    /// Creates a client whose time advances only when the test does it, so that nothing times out on a busy machine.
    init(on clock: TestClock, _ transport: some WebSocketTransport) {
        self.init(configuration: Configuration(clock: clock.netClock), transport: transport)
    }
}

/// One call of a transport.
struct RecordCall: Sendable {
    let request: PreparedRequest
    let context: CallContext

    /// Creates a request whose body arrives in chunks.
    init(_ path: String, chunks: [String], clock: TestClock = TestClock()) {
        self.init(path, body: "", clock: clock, content: .stream(length: nil, isReplayable: true) { Chunks(chunks) })
    }

    init(
        _ path: String, body: String? = nil, headers: HTTPFields = [:], isStreamed: Bool = false,
        delivery: BodyDelivery = .collected(upTo: 1 << 20), clock: TestClock = TestClock(),
        content given: RequestBody.Content? = nil
    ) {
        var content = given ?? .none
        if let body, given == nil {
            content = .bytes(Bytes(body.utf8))
            if isStreamed {
                content = .stream(length: nil, isReplayable: false) { Chunks([body]) }
            }
        }
        request = PreparedRequest(
            head: HTTPRequest(
                method: body == nil ? .get : .post, scheme: "http", authority: "api.test", path: path,
                headerFields: headers),
            body: content)
        context = CallContext(
            for: request, delivery: delivery, timeouts: Timeouts(firstByte: nil, stall: nil),
            environment: CallContext.Environment(clock: clock.netClock))
    }

    /// Returns the body as text.
    func text(_ transport: any HTTPTransport) async throws(NetError) -> String {
        let response = try await transport.execute(request, context: context)
        return String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    }

    /// Returns the error of the call; nil if it succeeds.
    func failure(_ transport: any HTTPTransport) async -> NetError? {
        do throws(NetError) {
            _ = try await text(transport)
            return nil
        } catch {
            return error
        }
    }
}

private final class Chunks: BodySource {
    private let rest: Mutex<ArraySlice<Bytes>>

    init(_ texts: [String]) { rest = Mutex(texts.map { Bytes($0.utf8) }[...]) }

    func next() async throws(NetError) -> Bytes? { rest.withLock { $0.popFirst() } }
    func cancel() {}
}
