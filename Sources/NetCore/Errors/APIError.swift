/// The error thrown by `send`: the server's own typed failure, or anything else.
///
/// There will only ever be two cases, so a `switch` over them is exhaustive. For a request without a typed failure,
/// `Failure` is `Never`, and the first case can be omitted. (No compiler accepts a lone `catch .failed` as exhaustive:
/// use it in functions that rethrow.)
///
///     do {
///         _ = try await client.send(GetUser(id: 7))
///     } catch {
///         switch error {
///         case .failed(let error): print(error)
///         }
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
    /// error belongs to no call.
    public var attempt: Int? {
        switch self {
        case .rejected(_, let response): response.call?.attempt
        case .failed(let error): error.attempt
        }
    }
}

/// An ``APIError`` of any failure type.
package protocol FailedCall: SecretlessError {
    var netError: NetError? { get }
    /// The typed failure and its response; nil for `.failed`.
    var rejection: (failure: any Sendable, response: RejectedResponse)? { get }
}

extension APIError: FailedCall {
    package var rejection: (failure: any Sendable, response: RejectedResponse)? {
        if case .rejected(let failure, let response) = self { (failure, response) } else { nil }
    }
}

extension APIError: CustomStringConvertible {
    /// What failed, where and in which request. For a typed failure, only its response is described, because the
    /// failure may contain secrets, unless it's an error of this library.
    public var description: String {
        switch self {
        case .rejected(let failure as any SecretlessError, let response): "\(response): \(failure.description)"
        case .rejected(_, let response): response.description
        case .failed(let error): error.description
        }
    }
}
