/// The error thrown by `send`: a typed failure of the server, or any other error.
///
/// There will only ever be two cases, so a `switch` over them is exhaustive. For a request without a typed failure,
/// `Failure` is `Never`, and the first case can be omitted. (The compiler doesn't accept a lone `catch .failed` as
/// exhaustive: use it in functions that rethrow.)
///
/// Most callers don't need a `switch`: the most common checks are properties, and ``NetError/init(_:)`` takes an error
/// of any type.
///
///     do {
///         try await client.send(GetUser(id: 7))
///     } catch {
///         if error.status == 404 { print("there is no such user") }
///         if error.isTimeout || error.isConnectivity { print("try again later:", error) }
///     }
public enum APIError<Failure: Sendable>: Error, Sendable {
    /// The server responded with a failure that the request declares.
    case rejected(Failure, RejectedResponse)
    /// Anything else: no response, an undeclared response, or a response that can't be read.
    case failed(NetError)

    /// The error of `.failed`; nil for `.rejected`.
    public var netError: NetError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// The number of the call's last attempt, counted from 1 over retries, new credentials and redirects; nil if the
    /// error doesn't belong to a call.
    public var attempt: Int? {
        switch self {
        case .rejected(_, let response): response.call?.attempt
        case .failed(let error): error.attempt
        }
    }
}

extension APIError {
    /// The declared failure and the response that it was read from; nil for `.failed`.
    public var rejection: (failure: Failure, response: RejectedResponse)? {
        if case .rejected(let failure, let response) = self { (failure, response) } else { nil }
    }

    /// The status of the response that wasn't accepted, declared or not; nil if there was none.
    public var status: Int? {
        switch self {
        case .rejected(_, let response): response.status.code
        case .failed(let error): error.status
        }
    }

    /// True if a timeout passed.
    public var isTimeout: Bool { netError?.isTimeout ?? false }
    /// True if the task was cancelled, or the client cancelled the call.
    public var isCancellation: Bool { netError?.isCancellation ?? false }
    /// True if the peer couldn't be reached or the connection was lost: DNS, connect, or a lost connection.
    public var isConnectivity: Bool { netError?.isConnectivity ?? false }
}

/// An ``APIError`` of any failure type.
package protocol FailedCall: SecretlessError {
    /// The error of `.failed`; nil for `.rejected`.
    var failure: NetError? { get }
    /// The typed failure and its response; nil for `.failed`.
    var anyRejection: (failure: any Sendable, response: RejectedResponse)? { get }
}

extension APIError: FailedCall {
    package var failure: NetError? { netError }

    package var anyRejection: (failure: any Sendable, response: RejectedResponse)? {
        rejection.map { ($0.failure, $0.response) }
    }
}

extension APIError: CustomStringConvertible {
    /// The failure, where it occurred, and the request. For a typed failure, only its response is described, because
    /// the failure may contain secrets, unless it's an error of this library.
    public var description: String {
        switch self {
        case .rejected(let failure as any SecretlessError, let response): "\(response): \(failure.description)"
        case .rejected(_, let response): response.description
        case .failed(let error): error.description
        }
    }
}
