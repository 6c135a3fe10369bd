extension ResponseSerializer where Value == ServerSentEvents<ServerSentEvent> {
    /// An event stream (`text/event-stream`), handed out while it arrives.
    public static var serverSentEvents: ResponseSerializer { serverSentEvents(maximumEventBytes: 16 << 20) }

    /// An event stream with a limit of its own for one event.
    public static func serverSentEvents(maximumEventBytes: Int) -> ResponseSerializer {
        .streamed(accept: "text/event-stream") { _, body, _ in
            ServerSentEvents(body, maximumEventBytes: maximumEventBytes)
        }
    }
}

extension ResponseSerializer {
    /// An event stream whose data is JSON: each event's data is decoded as `Element`.
    ///
    /// An event that cannot be decoded throws `.decoding` with its number, and ends the stream.
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
        .streamed(accept: "text/event-stream") { _, body, context in
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
