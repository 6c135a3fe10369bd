/// How Centrifuge writes a failure: a number for its code, with a text that is called `message` in errors and `reason`
/// elsewhere.
///
/// Two members are this package's own, and ignored by others: `name`, for a code that is no number, and `details`.
extension SocketFailure {
    /// The details of an error that may be gone at the next attempt.
    private static let temporary = SocketPayload(json: "{\"temporary\":true}")

    /// Reads the failure in an unsubscription, a disconnection or the answer to an opening message.
    init(centrifuge object: CentrifugeObject, text: String) {
        let number = object["code"].flatMap { $0.scalarText ?? $0.string }
        self.init(
            object.text("name") ?? number ?? "error", object.text(text) ?? "", details: object.payload("details"))
    }

    /// Reads the error of a reply, with `temporary` in its details.
    init(centrifugeReply error: CentrifugeObject) {
        self.init(centrifuge: error, text: "message")
        if details == nil, error.bool("temporary") { details = Self.temporary }
    }

    /// Writes the members, without the braces around them.
    ///
    /// - Parameter substitute: the number for a code that is none.
    func centrifugeMembers(text: String, else substitute: UInt32) throws(NetError) -> String {
        let number = UInt32(code).flatMap { String($0) == code ? $0 : nil }
        var members = "{"
        members.appendMember("code", number: UInt64(number ?? substitute))
        members.appendMember(text, message)
        if number == nil { members.appendMember("name", code) }
        try members.appendPayload("details", details)
        return String(members.dropFirst())
    }

    /// Writes the error of a reply. Codes from 400 are those of applications.
    func centrifugeReply() throws(NetError) -> String {
        let details = details?.json.flatMap { try? JSONSlice($0) }.flatMap { try? CentrifugeObject($0) }
        guard details?.bool("temporary") == true else {
            return "{\(try centrifugeMembers(text: "message", else: 400))}"
        }
        var failure = self
        if details?.members.count == 1 { failure.details = nil }
        return "{\(try failure.centrifugeMembers(text: "message", else: 400)),\"temporary\":true}"
    }
}
