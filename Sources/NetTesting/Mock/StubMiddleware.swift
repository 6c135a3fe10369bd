public import NetCore

/// A middleware that responds to requests that match its stubs, and passes all others on: it replaces some routes of a
/// real server.
///
/// Its place in the list of middleware determines which middleware sees the responses: in the last place, it acts as
/// the server, and retries and logs see its responses. The journal also contains the requests that were passed on. A
/// body that can be streamed only once is first read into memory, so that it can still be sent.
///
///     let partial = StubMiddleware([Stub(.get, "/flags", .json(["beta": true]))])
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.middleware = [partial] }
public struct StubMiddleware: Middleware, StubObserving {
    private let mock: MockTransport

    /// Creates a middleware with these stubs.
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
