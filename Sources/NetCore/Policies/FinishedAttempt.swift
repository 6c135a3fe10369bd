/// A finished attempt, as the input of a retry decision.
///
///     let options = RequestOptions {
///         $0.retryDecision = { attempt in
///             // This server reports that it is busy with status 200.
///             attempt.body?.elementsEqual("busy".utf8) == true ? .retry(after: .seconds(2)) : .byPolicy
///         }
///     }
public struct FinishedAttempt: Sendable {
    /// The request that the retry middleware sent.
    public let request: PreparedRequest
    /// The head of the response; nil if the attempt failed.
    public let head: ResponseHead?
    /// The whole body; nil if the attempt failed, or if the caller reads the body as it arrives.
    public let body: Bytes?
    /// The error; nil if there is a response.
    public let error: NetError?
    /// The number of the attempt, counted from 1 among the attempts that the policy counts.
    public let attempt: Int
    /// The time since the call started.
    public let elapsed: Duration

    /// Creates an attempt with its response, for example to test a decision.
    public init(
        _ request: PreparedRequest, head: ResponseHead, body: Bytes? = nil, attempt: Int = 1, elapsed: Duration = .zero
    ) {
        (self.request, self.head, self.body, error) = (request, head, body, nil)
        (self.attempt, self.elapsed) = (attempt, elapsed)
    }

    /// Creates an attempt that failed.
    public init(_ request: PreparedRequest, error: NetError, attempt: Int = 1, elapsed: Duration = .zero) {
        (self.request, head, body, self.error) = (request, nil, nil, error)
        (self.attempt, self.elapsed) = (attempt, elapsed)
    }

    /// The status of the response; nil if the attempt failed.
    public var status: Int? { head?.status.code }
}

extension FinishedAttempt: CustomStringConvertible, CustomReflectable {
    /// The request and its result: `attempt 2 of GET https://host/path: 503`.
    public var description: String {
        "attempt \(attempt) of \(request): \(error?.code.rawValue ?? status.map(String.init) ?? "no response")"
    }

    /// Only the description, since headers and body may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["attempt": description]) }
}
