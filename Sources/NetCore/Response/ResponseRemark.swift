/// What an error about a response has to say beyond its status.
package final class ResponseRemark: Sendable {
    /// The error to throw in place of one about the status: no server sent the response, a middleware made it.
    package let error: NetError?
    /// What else is known, as a clause that ends the message.
    package let note: String?

    /// No server sent the response.
    package init(insteadOf error: NetError) { (self.error, note) = (error, nil) }

    /// The server sent the response, and there is more to say.
    package init(note: String) { (error, self.note) = (nil, note) }
}

extension StreamedResponse {
    /// True if a middleware made the response because nothing may be sent: it says nothing about the server.
    package var isUnsent: Bool { remark?.error != nil }

    /// The response with more to say where it isn't accepted.
    package func noting(_ note: String?) -> StreamedResponse {
        guard let note, remark == nil else { return self }
        var response = self
        response.remark = ResponseRemark(note: note)
        return response
    }
}

extension NetError {
    /// The error with more to say.
    package func noting(_ note: String?) -> NetError {
        guard let note else { return self }
        return NetError(
            code, phase: phase, message: "\(message); \(note)", underlying: underlying, call: call, elapsed: elapsed,
            response: response, closure: closure)
    }
}
