internal import HTTPTypes
public import NetCore
internal import Synchronization

/// A transport without a network: the same ``Stub`` values as the test server, answered in memory.
///
/// It behaves as a real transport does: `.streamed` gets a body that is still arriving, `.collected` a whole one; pauses
/// and the call's time-outs run on the context's clock, so with a ``TestClock`` a client lives in virtual time;
/// request bodies are read; a request's progress observer hears of both bodies; a ``ConnectionDrop`` is a `.connectionLost` error at that place. Nothing is decoded in
/// memory: a stub with a `Content-Encoding` hands out the coded bytes, which a client of a real server gets decoded. A request
/// that no stub answers throws `.invalidRequest`, naming the nearest stubs.
///
///     let transport = MockTransport([
///         Stub(.get, "/users/{id}") { .json(["id": $0.parameters["id"] ?? ""]) },
///     ])
///     let broken = MockTransport.failing(with: NetError(.dns, phase: .resolving, message: "no such host"))
///     let closure = MockTransport { request, context in .text("attempt \(context.attempt)") }
public final class MockTransport: HTTPTransport, StubObserving {
    /// Answers one attempt.
    public typealias Respond = @Sendable (PreparedRequest, CallContext) async throws -> StubResponse

    let table: StubTable
    let respond: Respond?
    private let isShutDown = Atomic(false)

    /// Answers with stubs.
    public init(_ stubs: [Stub] = []) {
        table = StubTable(stubs)
        respond = nil
    }

    /// Answers every request with a closure. An error that it throws becomes the call's: a ``NetError`` as it is,
    /// anything else as `.unknown`.
    public init(_ respond: @escaping Respond) {
        table = StubTable()
        self.respond = respond
    }

    /// Adds a stub.
    public func add(_ stub: Stub) {
        table.add(stub)
    }

    /// What was sent so far, oldest first, at most the last 10,000; the body of a streaming stub's request is empty.
    public var recordedRequests: [StubRequest] { table.recorded }

    public var journal: RequestJournal { table.journal }

    public var stubUses: [StubUse] { table.uses }

    /// The state of a scenario; ``Stub/Scenario/start`` until a stub has moved it.
    public func state(of scenario: String) -> String { table.state(of: scenario) }

    /// Moves a scenario.
    public func setState(_ state: String, of scenario: String) {
        table.setState(state, of: scenario)
    }

    /// Stubs with a limit (``Stub/times(_:)``) that have not been used up.
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

    /// Later calls throw `.shutdown`.
    public func shutdown() async {
        isShutDown.store(true, ordering: .relaxed)
    }
}
