public import NetCore

extension WirePush {
    /// Decodes the payload, or an empty object if there is none. Throws `.decoding`; the error doesn't quote the
    /// payload.
    ///
    ///     struct ChatMessage: SocketPush {
    ///         static let event = "chat.message"
    ///         var text: String
    ///     }
    ///     let push = WirePush(event: "chat.message", payload: SocketPayload(json: #"{"text":"hello"}"#))
    ///     print(try push.decoded(as: ChatMessage.self).text)
    public func decoded<Push: SocketPush>(
        as type: Push.Type = Push.self, coding: JSONCoding = .standard
    ) throws(NetError) -> Push {
        try (payload ?? SocketPayload(json: "{}")).decoded(as: type, coding: coding)
    }
}
