internal import HTTPTypes
public import NetCore
internal import Synchronization

/// A transport without a network: takes the same ``Stub`` values as the test server, and responds in memory.
///
/// It behaves like a real transport: `.streamed` gets a body that is still arriving, `.collected` gets a complete one.
/// Pauses and the call's timeouts run on the context's clock, so with a ``TestClock`` a client runs in virtual time.
/// Request bodies are read, and a request's progress observer gets reports for both bodies. A ``ConnectionDrop``
/// becomes a `.connectionLost` error at its point. Nothing is decoded in memory: a stub with a `Content-Encoding`
/// returns the encoded bytes, while a client of a real server gets them decoded. A request that matches no stub throws
/// `.invalidRequest`, with a message that names the nearest stubs.
///
///     let transport = MockTransport([
///         Stub(.get, "/users/{id}") { .json(["id": $0.parameters["id"] ?? ""]) },
///     ])
///     let broken = MockTransport.failing(with: NetError(.dns, phase: .resolving, message: "no such host"))
///     let closure = MockTransport { request, context in .text("attempt \(context.attempt)") }
public final class MockTransport: HTTPTransport, StubObserving {
    /// A closure that responds to one attempt.
    public typealias Respond = @Sendable (PreparedRequest, CallContext) async throws -> StubResponse

    let table: StubTable
    let respond: Respond?
    private let isShutDown = Atomic(false)

    /// Creates a transport that responds with stubs.
    public init(_ stubs: [Stub] = []) {
        table = StubTable(stubs)
        respond = nil
    }

    /// Creates a transport that responds to every request with a closure. An error thrown by the closure becomes the
    /// call's error: a ``NetError`` is rethrown, any other error becomes `.unknown`.
    public init(_ respond: @escaping Respond) {
        table = StubTable()
        self.respond = respond
    }

    /// Adds a stub.
    public func add(_ stub: Stub) {
        table.add(stub)
    }

    /// The requests so far, oldest first, at most the last 10,000; the body of a streaming stub's request is empty.
    public var recordedRequests: [StubRequest] { table.recorded }

    public var journal: RequestJournal { table.journal }

    public var stubUses: [StubUse] { table.uses }

    /// Returns the state of a scenario: ``Stub/Scenario/start`` until a stub has changed it.
    public func state(of scenario: String) -> String { table.state(of: scenario) }

    /// Sets the state of a scenario.
    public func setState(_ state: String, of scenario: String) {
        table.setState(state, of: scenario)
    }

    /// Stubs with a limit (``Stub/times(_:)-(Int)``) that haven't been used up.
    public var unusedStubs: [Stub] { table.unused }

    public func execute(
        _ request: PreparedRequest, context: CallContext
    ) async throws(NetError) -> StreamedResponse {
        if isShutDown.load(ordering: .relaxed) {
            throw context.error(.shutdown, phase: .preparing, message: "the transport was shut down")
        }
        do {
            return try await MockExchange(transport: self, request: request, context: context).run()
        } catch let error as NetError {
            throw error.belonging(to: context.summary, elapsed: context.elapsed)
        } catch is CancellationError {
            throw context.error(.cancelled, phase: .waiting, message: "the task was cancelled")
        } catch let miss as StubMiss {
            throw context.error(.invalidRequest, phase: .preparing, message: miss.description, underlying: miss)
        } catch {
            throw context.error(
                .unknown, phase: .waiting, message: "the stub threw an error: \(ErrorSummary.describe(error))",
                underlying: error)
        }
    }

    /// Shuts down the transport: later calls throw `.shutdown`.
    public func shutdown() async {
        isShutDown.store(true, ordering: .relaxed)
    }
}
