internal import NetCore

/// The format of failures in Socket.IO, whose acknowledgements can't fail.
enum SocketIOFailure {
    /// Returns the argument of an acknowledgement.
    static func payload(_ failure: SocketFailure) throws(NetError) -> SocketPayload {
        var text = "{\"error\":{"
        text.appendMember("code", failure.code)
        text.appendMember("message", failure.message)
        if let details = failure.details {
            text.appendName("details")
            text += try details.json(by: SocketIOWire.name)
        }
        return SocketPayload(json: text + "}}")
    }

    /// Reads such an argument. nil for any other argument.
    static func read(_ argument: JSONSlice) -> SocketFailure? {
        guard let members = try? argument.members(), members.count == 1, let error = argument["error"],
            let code = error["code"]?.string, let message = error["message"]?.string
        else { return nil }
        return SocketFailure(code, message, details: error["details"]?.payload)
    }

    /// Reads the reason of a refused connection: an object with a message and data, or a text.
    static func refusal(_ data: JSONSlice?) -> SocketFailure {
        let message = data?["message"]?.string ?? data?.string ?? ""
        let details = data?["data"]?.nonNull
        if let failure = SocketFailure(coded: details, message: message) { return failure }
        let code = details?["code"]
        return SocketFailure(
            code?.string ?? code?.nonNull?.scalarText ?? "connect_error", message, details: details?.payload)
    }
}
