internal import HTTPTypes
public import NetCore

extension ResponseSerializer {
    /// Returns a serializer that is chosen by status code before the body is read, so that a stream can be read while
    /// it arrives; throws ``UndeclaredResponse`` if `choose` returns nil.
    @_spi(Generated) public static func byArrivingStatus(
        accept: String? = nil, _ choose: @escaping @Sendable (Int) -> ResponseSerializer?
    ) -> ResponseSerializer {
        .byHead(accept: accept) { head in
            guard let chosen = choose(head.status.code) else { throw UndeclaredResponse(status: head.status.code) }
            return chosen
        }
    }

    /// Returns a serializer that is chosen by the media type of the response, among those that a document declares: the
    /// one with the same parameters, the one with the same type, the first range that includes it, else the first.
    @_spi(Generated) public static func byMediaType(
        _ alternatives: [(type: String, serializer: ResponseSerializer)]
    ) -> ResponseSerializer {
        .byHead { head in
            guard let received = head[.contentType].flatMap({ MediaType($0) }) else {
                return alternatives[0].serializer
            }
            let declared = alternatives.map { (type: MediaType($0.type), serializer: $0.serializer) }
            let chosen =
                declared.first { $0.type == received }
                ?? declared.first { $0.type?.essence == received.essence }
                ?? declared.first { $0.type.map { $0.type == received.type && $0.subtype == "*" } ?? false }
                ?? declared.first { received.isJSON && $0.type?.isJSON ?? false }
            return chosen?.serializer ?? alternatives[0].serializer
        }
    }
}
