public import NetCore

/// A hook that sees the result of each request: the decoded value, or the error.
///
/// Middleware sees responses before they are validated and decoded; an observer sees the result, failures included. A
/// streamed call has no decoded value, so observers aren't called for it.
///
///     struct Audit: ResultObserver {
///         func received<R: APIRequest>(_ result: CallResult<R>) {
///             switch result.outcome {
///             case .success(let value): print("\(R.self) got \(type(of: value)), \(result.body?.count ?? 0) bytes")
///             case .failure(let error): print("\(R.self) failed: \(error)")
///             }
///         }
///     }
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.resultObservers = [Audit()] }
public protocol ResultObserver: Sendable {
    /// Called once for each call, in the caller's task, before the caller gets the result; must not block.
    func received<R: APIRequest>(_ result: CallResult<R>)
}

/// The result of a call, as its caller receives it.
public struct CallResult<R: APIRequest>: Sendable {
    /// The decoded value, or the error that is thrown.
    public let outcome: Result<R.Response, APIError<R.Failure>>
    /// The head of the response; nil if there was none.
    public let head: ResponseHead?
    /// The body; nil if there was no response, or if the value reads the body itself. For a rejected response, it may
    /// be only the beginning.
    public let body: Bytes?
    /// The request, with its redacted URL and attempt; nil if unknown.
    public let call: CallSummary?
    /// The metadata of the request.
    public let metadata: RequestMetadata

    /// Creates a result, such as for an observer's tests.
    public init(
        _ outcome: Result<R.Response, APIError<R.Failure>>, head: ResponseHead? = nil, body: Bytes? = nil,
        call: CallSummary? = nil, metadata: RequestMetadata = .none
    ) {
        self.outcome = outcome
        self.head = head
        self.body = body
        self.call = call
        self.metadata = metadata
    }

    /// Creates the result of a call that failed.
    init(_ error: APIError<R.Failure>, call: CallSummary?, metadata: RequestMetadata) {
        switch error {
        case .rejected(_, let response):
            self.init(
                .failure(error), head: response.head, body: response.body, call: call ?? response.call,
                metadata: metadata)
        case .failed(let failure):
            self.init(
                .failure(error), head: failure.response?.head, body: failure.response?.body, call: call ?? failure.call,
                metadata: metadata)
        }
    }
}

extension CallResult: CustomStringConvertible, CustomReflectable {
    /// The request and its outcome: `GET https://host/path, attempt 1: success`.
    public var description: String {
        let end = if case .failure(let error) = outcome { "\(error)" } else { "success" }
        return "\(call.map { "\($0)" } ?? "\(R.self)"): \(end)"
    }

    /// Only the description, since value and body may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["result": description]) }
}
