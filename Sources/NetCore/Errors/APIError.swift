/// What `send` throws: the server's own typed answer, or everything else.
///
/// There are two cases for ever, so a `switch` over them is exhaustive. A request without a typed failure has
/// `Failure == Never`, and then the first case need not be written. (A lone `catch .failed` is exhaustive for no compiler:
/// use it where the function throws further.)
///
///     do {
///         _ = try await client.send(GetUser(id: 7))
///     } catch {
///         switch error {
///         case .failed(let error): print(error)
///         }
///     }
public enum APIError<Failure: Sendable>: Error, Sendable {
    /// The server answered with a failure that the request declares.
    case rejected(Failure, RejectedResponse)
    /// Anything else: no answer, an answer that is not declared, or one that cannot be read.
    case failed(NetError)

    /// The error of the second case.
    public var netError: NetError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

/// An ``APIError`` of any failure type.
package protocol FailedCall: SecretlessError {
    var netError: NetError? { get }
    /// The typed failure and its response; nil for a `.failed`.
    var rejection: (failure: any Sendable, response: RejectedResponse)? { get }
}

extension APIError: FailedCall {
    package var rejection: (failure: any Sendable, response: RejectedResponse)? {
        if case .rejected(let failure, let response) = self { (failure, response) } else { nil }
    }
}

extension APIError: CustomStringConvertible {
    /// What failed, where and in which request. Of a typed failure only its response: the failure may hold secrets, unless it's
    /// an error of this library.
    public var description: String {
        switch self {
        case .rejected(let failure as any SecretlessError, let response): "\(response): \(failure.description)"
        case .rejected(_, let response): response.description
        case .failed(let error): error.description
        }
    }
}
