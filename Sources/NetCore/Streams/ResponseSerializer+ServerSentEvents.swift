internal import HTTPTypes

extension ResponseSerializer where Value == ServerSentEvents<ServerSentEvent> {
    /// An event stream (`text/event-stream`) as it arrives.
    ///
    /// A response with another content type throws `.decoding` and isn't read (HTML Standard section 9.2.2): a login
    /// page, for example, would look like a stream without events. A 204 or 205 is a stream without events, and a
    /// response without a content type counts as an event stream. If a server declares another type, create
    /// ``ServerSentEvents`` from a ``ResponseBody`` yourself:
    ///
    ///     let lenient = ResponseSerializer<ServerSentEvents<ServerSentEvent>>.streamed(accept: "text/event-stream") {
    ///         _, body, _ in ServerSentEvents(body)
    ///     }
    public static var serverSentEvents: ResponseSerializer { serverSentEvents(maximumEventBytes: 16 << 20) }

    /// Creates a serializer for an event stream with a limit for the size of one event.
    public static func serverSentEvents(maximumEventBytes: Int) -> ResponseSerializer {
        .streamed(accept: "text/event-stream") { head, body, _ in
            try head.checkEventStream()
            return ServerSentEvents(body, maximumEventBytes: maximumEventBytes)
        }
    }
}

extension ResponseHead {
    /// Throws if the body isn't an event stream. The message contains only the media type, since the header may
    /// contain anything.
    fileprivate func checkEventStream() throws(NetError) {
        guard headers.contains(.contentType), ![204, 205].contains(status.code) else { return }
        let type = receivedType?.essence
        guard type != "text/event-stream" else { return }
        throw NetError(
            .decoding, phase: .validating,
            message: "the response isn't an event stream: its content type is \(type ?? "malformed"), not "
                + "text/event-stream; look at what the server sends, or read its body with ServerSentEvents yourself")
    }
}

extension ResponseSerializer {
    /// Creates a serializer for an event stream with JSON data: the data of each event is decoded as `Element`.
    ///
    /// An event that can't be decoded throws `.decoding` with its number, and ends the stream. A response that isn't
    /// an event stream also throws `.decoding`.
    ///
    ///     let serializer = ResponseSerializer.serverSentEvents(of: [String: Int].self, until: "[DONE]")
    ///
    /// - Parameters:
    ///   - type: The type of each event's data.
    ///   - coding: The JSON coders; nil uses the client's.
    ///   - sentinel: The data that ends the stream instead of being decoded. Default nil: none.
    ///   - maximumEventBytes: The maximum size of one event in bytes. Default 16 MiB.
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
                        message:
                            "the data of event \(number) (\"\(event.event)\") can't be decoded as \(Element.self): "
                            + DecodingFailure.describe(error),
                        underlying: error)
                }
            }
        }
    }
}
