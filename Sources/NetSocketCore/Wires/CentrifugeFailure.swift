/// Centrifuge's format of a failure: a numeric code, and a text, which is called `message` in errors and `reason`
/// elsewhere.
///
/// Two members are specific to this package and ignored by others: `name`, for a code that isn't a number, and
/// `details`.
extension SocketFailure {
    /// The details of a temporary error.
    private static let temporary = SocketPayload(json: "{\"temporary\":true}")

    /// Reads the failure in an unsubscription, a disconnection or the response to an opening message.
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
    /// - Parameter substitute: The number to write for a code that isn't a number.
    func centrifugeMembers(text: String, else substitute: UInt32) throws(NetError) -> String {
        let number = UInt32(code).flatMap { String($0) == code ? $0 : nil }
        var members = "{"
        members.appendMember("code", number: UInt64(number ?? substitute))
        members.appendMember(text, message)
        if number == nil { members.appendMember("name", code) }
        try members.appendPayload("details", details)
        return String(members.dropFirst())
    }

    /// Returns the error of a reply. Codes from 400 are for applications.
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
