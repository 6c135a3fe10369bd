/// An error that is not a ``NetError`` and stands for one: a part of a call may throw it.
package protocol CodedError: SecretlessError {
    /// The code of the call's error. `status` is that of the response that the error was read from, nil if nobody knows.
    func code(status: Int?) -> NetError.Code
}

extension NetError {
    /// The error that `error` is, holds or stands for; nil if it's of other code.
    ///
    /// A middleware, a credential's renewal or a body may use a client of its own: what that throws keeps its code.
    package init?(ours error: any Error) {
        switch error {
        case let error as NetError: self = error
        case let error as any FailedCall:
            guard let error = error.netError ?? error.refusal else { return nil }
            self = error
        case let error as any CodedError:
            self.init(error.code(status: nil), phase: .validating, message: error.description, underlying: error)
        default: return nil
        }
    }

    /// Returns this error of another call as the error of `call`, which made that one: with the same code, phase and
    /// response. The other call's error is the cause. `part` names who made the other call.
    func nested(in call: CallSummary, elapsed: Duration?, by part: String? = nil) -> NetError {
        let other = self.call.map { " (\($0.method.rawValue) \($0.url))" } ?? ""
        return NetError(
            code, phase: phase, message: "\(message), in a call that \(part ?? "this one") made\(other)",
            // A typed failure is what was thrown.
            underlying: (underlying as? any FailedCall) ?? self, call: call, elapsed: elapsed, response: response,
            closure: closure)
    }
}

extension FailedCall {
    /// The error of a call whose typed failure nobody caught; nil for a `.failed`.
    var refusal: NetError? {
        guard let (failure, response) = rejection else { return nil }
        let status = response.head.status.code
        let coded = failure as? any CodedError
        return NetError(
            coded?.code(status: status) ?? .unacceptableStatus, phase: .validating,
            message: coded?.description ?? "the server answered \(status), with a failure that the request declares",
            underlying: self, call: response.call, elapsed: response.elapsed,
            // The words of one of our own errors are those of the body without secrets, and that would be shown with them.
            response: NetError.FailedResponse(head: response.head, body: coded == nil ? response.body : Bytes()))
    }
}
