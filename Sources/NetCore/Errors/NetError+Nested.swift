/// An error that represents a ``NetError`` but has another type; any part of a call may throw it.
package protocol CodedError: SecretlessError {
    /// Returns the code of the call's error. `status` is the status of the response that the error was read from; nil
    /// if unknown.
    func code(status: Int?) -> NetError.Code
}

extension NetError {
    /// Creates the error that `error` is, contains or represents, regardless of its type; nil for an error from other
    /// code.
    ///
    /// An error of Apple's URL loading system (`URLError`) becomes the error with the same meaning, such as `.timeout`.
    ///
    /// Use it for an `any Error`, for example from a task group, a closure, or a `catch` after several calls. A
    /// declared failure (``APIError/rejected(_:_:)``) becomes `.unacceptableStatus` with its response.
    ///
    ///     do {
    ///         try await client.send(GetUser(id: 7))
    ///         try await client.send(Request<[String: Int]>("stock"))
    ///     } catch let error as any Error {
    ///         if let error = NetError(error), error.isConnectivity { print("offline:", error) }
    ///     }
    public init?(_ error: any Error) {
        switch error {
        case let error as NetError: self = error
        case let error as any FailedCall:
            guard let error = error.failure ?? error.refusal else { return nil }
            self = error
        case let error as any CodedError:
            self.init(error.code(status: nil), phase: .validating, message: error.description, underlying: error)
        default:
            guard let code = URLLoadingFailure.code(of: error) else { return nil }
            let verdict = URLLoadingFailure.verdict(
                code, reason: "URLError \(code)", host: "the server", phase: .waiting)
            self.init(verdict.code, phase: verdict.phase, message: verdict.message, underlying: error)
        }
    }

    /// Returns this error, which belongs to another call, as an error of `call`, which made the other call: with the
    /// same code, phase and response, and the other call's error as its cause. `part` names the part that made the
    /// other call.
    func nested(in call: CallSummary, elapsed: Duration?, by part: String? = nil) -> NetError {
        let other = self.call.map { " (\($0.method.rawValue) \($0.url))" } ?? ""
        return NetError(
            code, phase: phase, message: "\(message), in a call that \(part ?? "this one") made\(other)",
            // If the cause is a typed failure, that is the error that was thrown.
            underlying: (underlying as? any FailedCall) ?? self, call: call, elapsed: elapsed, response: response,
            closure: closure)
    }
}

extension FailedCall {
    /// The error of a call whose typed failure wasn't caught; nil for `.failed`.
    var refusal: NetError? {
        guard let (failure, response) = anyRejection else { return nil }
        let status = response.status.code
        let coded = failure as? any CodedError
        return NetError(
            coded?.code(status: status) ?? .unacceptableStatus, phase: .validating,
            message: coded?.description
                ?? "the server responded with status \(status), a failure that the request declares",
            underlying: self, call: response.call, elapsed: response.elapsed,
            // An error of this library describes the body without its secrets. The body is omitted, because it would be
            // shown too.
            response: NetError.FailedResponse(head: response.head, body: coded == nil ? response.body : Bytes()))
    }
}
