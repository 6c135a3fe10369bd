/// The information about a response, besides its status, for an error about it.
package final class ResponseRemark: Sendable {
    /// The error to throw instead of one about the status, if a middleware created the response instead of a server.
    package let error: NetError?
    /// More information, as a clause at the end of the message.
    package let note: String?

    /// Creates a remark about a response that no server sent.
    package init(insteadOf error: NetError) { (self.error, note) = (error, nil) }

    /// Creates a remark about a response that a server sent.
    package init(note: String) { (error, self.note) = (nil, note) }
}

extension StreamedResponse {
    /// True if a middleware created the response because nothing may be sent; it contains no information about the
    /// server.
    package var isUnsent: Bool { remark?.error != nil }

    /// Returns the response with a note for the error that is thrown if it isn't accepted.
    package func noting(_ note: String?) -> StreamedResponse {
        guard let note, remark == nil else { return self }
        var response = self
        response.remark = ResponseRemark(note: note)
        return response
    }
}

extension NetError {
    /// Returns the error with a note at the end of its message.
    package func noting(_ note: String?) -> NetError {
        guard let note else { return self }
        return NetError(
            code, phase: phase, message: "\(message); \(note)", underlying: underlying, call: call, elapsed: elapsed,
            response: response, closure: closure)
    }
}
