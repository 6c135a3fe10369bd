public import NetCore

/// Answers what its stubs match, and lets everything else through: some routes of a real server replaced.
///
/// Put it where the answers should seem to come from: last in the list of middleware, it stands in for the server, and retries
/// and logs see it. The journal holds the requests that went through too. A body that can be streamed only once is read into
/// memory first, so that it can still be sent.
///
///     let partial = StubMiddleware([Stub(.get, "/flags", .json(["beta": true]))])
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.middleware = [partial] }
public struct StubMiddleware: Middleware, StubObserving {
    private let mock: MockTransport

    /// Takes the stubs.
    public init(_ stubs: [Stub]) {
        mock = MockTransport(stubs)
    }

    /// Adds a stub.
    public func add(_ stub: Stub) {
        mock.add(stub)
    }

    public var journal: RequestJournal { mock.journal }
    public var stubUses: [StubUse] { mock.stubUses }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        var request = request
        if case .stream(_, isReplayable: false, let make) = request.body {
            request.body = .bytes(try await ResponseBody(source: make()).collect(upTo: .max))
        }
        do {
            return try await mock.execute(request, context: context)
        } catch {
            guard error.underlying is StubMiss else { throw error }
        }
        return try await next(request, context)
    }
}
