internal import HTTPTypes
public import NetCore
internal import Synchronization

/// A client that responds to typed requests with typed values: nothing is prepared, encoded or decoded.
///
/// A response registered for the request's value takes precedence over one registered for its type. Among equals, the
/// most recent one is used, so that a test can override its set-up. A request without a response goes to the client
/// behind the mock, if there is one; otherwise it throws `.invalidRequest`. To test bytes, header fields and statuses,
/// use ``MockTransport`` instead.
///
///     struct GetUser: APIRequest, Equatable {
///         struct Response: Decodable, Sendable { let name: String }
///         let id: Int
///         var path: Path { "users/\(id)" }
///     }
///     let client = MockClient()
///     client.on(GetUser.self) { request in GetUser.Response(name: "user \(request.id)") }
///     client.on(GetUser(id: 7), return: GetUser.Response(name: "Ada"))
///     let user = try await client.send(GetUser(id: 7))
///     print(user.name, client.received(GetUser.self).map(\.id))
public final class MockClient: APIClient {
    private struct Answer: Sendable {
        let request: String
        /// Matches one value; nil for every value of the type.
        let matches: (@Sendable (any APIRequest) -> Bool)?
        let make: @Sendable (any APIRequest) async throws -> any Sendable
    }

    private struct State {
        var answers: [ObjectIdentifier: [Answer]] = [:]
        var rawAnswers: [ObjectIdentifier: @Sendable (any APIRequest) async throws -> StreamedResponse] = [:]
        var received: [any APIRequest] = []
    }

    let client: (any APIClient)?
    private let state = Mutex(State())

    /// The maximum number of requests that are kept.
    private static let historyLimit = 10_000

    /// Creates a mock. `client` gets the requests without a registered response. Default nil.
    public init(over client: (any APIClient)? = nil) {
        self.client = client
    }

    /// Responds to every request of a type.
    ///
    /// An error thrown by `respond` becomes the call's error: an ``NetCore/APIError`` of the request or a
    /// ``NetCore/NetError`` is rethrown, a `CancellationError` becomes `.cancelled`, and any other error becomes
    /// `.unknown`.
    public func on<R: APIRequest>(_ type: R.Type, respond: @escaping @Sendable (R) async throws -> R.Response) {
        register(R.self, nil, respond)
    }

    /// Responds to every request of a type with one value.
    public func on<R: APIRequest>(_ type: R.Type, return value: R.Response) {
        register(R.self, nil) { _ in value }
    }

    /// Responds to requests that equal this one.
    public func on<R: APIRequest & Equatable>(_ request: R, return value: R.Response) {
        register(R.self, { ($0 as? R) == request }, { _ in value })
    }

    /// Fails every request of a type.
    public func on<R: APIRequest>(_ type: R.Type, throw error: APIError<R.Failure>) {
        register(R.self, nil) { _ in throw error }
    }

    /// The requests of a type that were sent so far, oldest first; the mock keeps the last 10,000 requests of all types
    /// together.
    public func received<R: APIRequest>(_ type: R.Type = R.self) -> [R] {
        state.withLock(\.received).compactMap { $0 as? R }
    }

    public func response<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> Response<R.Response> {
        try await response(request) { client throws(APIError<R.Failure>) in try await client.response(request) }
    }

    /// Returns the value for a request; without one, the response of the client behind the mock.
    private func response<R: APIRequest>(
        _ request: R,
        behind: (any APIClient) async throws(APIError<R.Failure>) -> Response<R.Response>
    ) async throws(APIError<R.Failure>) -> Response<R.Response> {
        guard let answer = answer(to: request) else {
            if let client { return try await behind(client) }
            throw .failed(unanswered(request))
        }
        let failure: any Error
        do {
            if let value = try await answer.make(request.unwrapped) as? R.Response {
                return Response(value: value, head: ResponseHead(status: .ok), call: request.unsent())
            }
            throw unanswered(request)
        } catch {
            failure = error
        }
        throw Self.apiError(failure, of: request)
    }

    /// Returns the value for `request`, ignoring the prepared request; without one, the response of the client behind
    /// the mock.
    public func response<R: APIRequest>(
        _ request: R, as prepared: PreparedRequest
    ) async throws(APIError<R.Failure>) -> Response<R.Response> {
        try await response(request) { client throws(APIError<R.Failure>) in
            try await client.response(request, as: prepared)
        }
    }

    func register<R: APIRequest>(
        raw type: R.Type, _ answer: @escaping @Sendable (R) async throws -> StreamedResponse
    ) {
        state.withLock { state in
            state.rawAnswers[ObjectIdentifier(type)] = { request in
                guard let request = request as? R else { throw CancellationError() }
                return try await answer(request)
            }
        }
    }

    func rawAnswer(to request: some APIRequest) -> (() async throws -> StreamedResponse)? {
        let request = request.unwrapped
        let answer = state.withLock { $0.rawAnswers[ObjectIdentifier(type(of: request))] }
        return answer.map { answer in { try await answer(request) } }
    }

    private func register<R: APIRequest>(
        _ type: R.Type, _ matches: (@Sendable (any APIRequest) -> Bool)?,
        _ answer: @escaping @Sendable (R) async throws -> R.Response
    ) {
        let answer = Answer(request: "\(R.self)", matches: matches) { request in
            guard let request = request as? R else { throw CancellationError() }
            return try await answer(request)
        }
        state.withLock { $0.answers[ObjectIdentifier(type), default: []].append(answer) }
    }

    func note(_ request: some APIRequest) {
        let request = request.unwrapped
        state.withLock { state in
            if state.received.count >= Self.historyLimit { state.received.removeFirst() }
            state.received.append(request)
        }
    }

    private func answer<R: APIRequest>(to request: R) -> Answer? {
        note(request)
        // The options or failure of one call don't make it another request.
        let request = request.unwrapped
        // Comparing runs the request's own code, so it happens outside the lock.
        let answers = state.withLock { $0.answers[ObjectIdentifier(type(of: request))] } ?? []
        return answers.last { $0.matches?(request) ?? false } ?? answers.last { $0.matches == nil }
    }

    func unanswered<R: APIRequest>(_ request: R) -> NetError {
        let known = Set(state.withLock { $0.answers.values.flatMap { $0.map(\.request) } }).sorted()
        let hint =
            if known.contains("\(R.self)") {
                "this \(R.self), only for other values of it"
            } else {
                "\(R.self)" + (known.isEmpty ? "" : ", only for \(known.joined(separator: ", "))")
                    + "; add client.on(\(R.self).self) { … }"
            }
        return NetError(
            .invalidRequest, phase: .preparing, message: "the mock has no response for \(hint)",
            call: request.unsent())
    }

    static func apiError<R: APIRequest>(_ error: any Error, of request: R) -> APIError<R.Failure> {
        error as? APIError<R.Failure> ?? .failed(netError(error, of: request))
    }

    static func netError<R: APIRequest>(_ error: any Error, of request: R) -> NetError {
        if let error = (error as? any FailedCall)?.failure { return error }
        switch error {
        case let error as NetError: return error
        case is CancellationError:
            return NetError(.cancelled, phase: .waiting, message: "the task was cancelled", call: request.unsent())
        default:
            return NetError(
                .unknown, phase: .waiting,
                message: "the mock's response to \(R.self) threw: \(ErrorSummary.describe(error))", underlying: error,
                call: request.unsent())
        }
    }
}
