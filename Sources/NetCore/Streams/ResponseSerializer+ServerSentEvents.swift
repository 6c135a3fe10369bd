internal import HTTPTypes

extension ResponseSerializer where Value == ServerSentEvents<ServerSentEvent> {
    /// An event stream (`text/event-stream`), handed out while it arrives.
    ///
    /// An answer of another content type throws `.decoding` and is not read (HTML Standard section 9.2.2): a page that asks to
    /// sign in has no events, and would look like a stream without any. A 204 or 205 is such a stream, and an answer that names
    /// no type is taken for events. Where a server names another one, make ``ServerSentEvents`` of a ``ResponseBody`` yourself:
    ///
    ///     let lenient = ResponseSerializer<ServerSentEvents<ServerSentEvent>>.streamed(accept: "text/event-stream") {
    ///         _, body, _ in ServerSentEvents(body)
    ///     }
    public static var serverSentEvents: ResponseSerializer { serverSentEvents(maximumEventBytes: 16 << 20) }

    /// An event stream with a limit of its own for one event.
    public static func serverSentEvents(maximumEventBytes: Int) -> ResponseSerializer {
        .streamed(accept: "text/event-stream") { head, body, _ in
            try head.checkEventStream()
            return ServerSentEvents(body, maximumEventBytes: maximumEventBytes)
        }
    }
}

extension ResponseHead {
    /// Throws where a body is no event stream; names the type alone, as a field may hold anything.
    fileprivate func checkEventStream() throws(NetError) {
        guard headers.contains(.contentType), ![204, 205].contains(status.code) else { return }
        let type = receivedType?.essence
        guard type != "text/event-stream" else { return }
        throw NetError(
            .decoding, phase: .validating,
            message: "the answer is no event stream: its content type is \(type ?? "malformed"), not "
                + "text/event-stream; look at what the server sends, or read its body with ServerSentEvents yourself")
    }
}

extension ResponseSerializer {
    /// An event stream whose data is JSON: each event's data is decoded as `Element`.
    ///
    /// An event that cannot be decoded throws `.decoding` with its number, and ends the stream. An answer that is no event
    /// stream throws `.decoding` as well.
    ///
    ///     let serializer = ResponseSerializer.serverSentEvents(of: [String: Int].self, until: "[DONE]")
    ///
    /// - Parameters:
    ///   - type: What the data of each event is.
    ///   - coding: The coders; nil takes the client's.
    ///   - sentinel: The data that ends the stream instead of being decoded. Default nil: none.
    ///   - maximumEventBytes: The most bytes of one event. Default 16 MiB.
    public static func serverSentEvents<Element: Decodable & Sendable>(
        of type: Element.Type, coding: JSONCoding? = nil, until sentinel: String? = nil,
        maximumEventBytes: Int = 16 << 20
    ) -> ResponseSerializer where Value == ServerSentEvents<Element> {
        .streamed(accept: "text/event-stream") { head, body, context in
            try head.checkEventStream()
            let coding = coding ?? context.coding
            return ServerSentEvents(body, maximumEventBytes: maximumEventBytes) { event, number throws(NetError) in
                if let sentinel, event.data == sentinel { return nil }
                do {
                    return try coding.decode(Element.self, from: Bytes(event.data.utf8))
                } catch {
                    throw NetError(
                        .decoding, phase: .decoding,
                        message: "the data of event \(number) (\"\(event.event)\") is no \(Element.self): "
                            + DecodingFailure.describe(error),
                        underlying: error)
                }
            }
        }
    }
}
