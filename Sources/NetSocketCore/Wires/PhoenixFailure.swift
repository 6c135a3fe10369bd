/// The format of a failure in Phoenix channels: the response of a reply with the status `error`, or the payload of
/// `phx_error`.
extension SocketFailure {
    /// The maximum length of a `reason` that is read as a code.
    private static let maximumReason = 64

    /// Reads a failure.
    ///
    /// - Parameter code: The code of a response without one. If nil, its `reason` becomes the code if it is short, and
    ///   otherwise `error`.
    init(phoenix response: SocketPayload?, code defaultCode: String? = nil) {
        self.init(defaultCode ?? "error")
        guard let response, !response.isBinary, let slice = try? JSONSlice(response.json ?? "") else {
            details = response
            return
        }
        let members = (try? slice.members()) ?? []
        var (code, reason, message): (String?, String?, String?)
        // True if code, message and details together contain everything in the response.
        var isComplete = true
        for (name, value) in members {
            switch name {
            case "code": code = value.string ?? value.scalarText
            case "reason": reason = value.string
            case "message": message = value.string
            case "details": details = value.payload
            default: isComplete = false
            }
        }
        if reason != nil, message != nil, reason != code { isComplete = false }
        let short = reason.flatMap { $0.utf8.count <= Self.maximumReason ? $0 : nil }
        self.code = code ?? defaultCode ?? short ?? self.code
        self.message = message ?? reason ?? slice.string ?? ""
        if code == nil || !isComplete { details = slice.isNull || slice.isObject && members.isEmpty ? nil : response }
    }

    /// Encodes a failure.
    ///
    /// - Parameter plain: The code that a peer uses for a response without a code.
    func phoenixPayload(plain: String = "error", _ version: PhoenixVersion) throws(NetError) -> SocketPayload {
        if let details, details.isBinary {
            guard code == plain, message.isEmpty else {
                throw version.unsupported("failures with both a text and bytes")
            }
            return details
        }
        var text = "{"
        text.appendMember("code", code)
        text.appendMember("reason", message.isEmpty ? code : message)
        if message.isEmpty { text.appendMember("message", message) }
        if let details = details?.json {
            text.appendName("details")
            text += details
        }
        return SocketPayload(json: text + "}")
    }
}
