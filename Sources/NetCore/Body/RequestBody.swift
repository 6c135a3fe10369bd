public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a request sends: nothing, bytes, a value to encode, or a stream.
///
/// Encoding happens when the request is prepared, with the client's coders unless the body brings its own; a failure
/// there is an `.encoding` error before anything is sent. Each kind implies a `Content-Type`, and a body of your own other
/// fields too; a field of the request overrides them.
///
///     let body = RequestBody.json(["name": "Ada"])
public struct RequestBody: Sendable {
    /// The body as it goes out.
    public struct Resolved: Sendable {
        /// The bytes or the stream.
        public var content: Content
        /// The `Content-Type` it implies; nil for none.
        public var contentType: String?
        /// Other fields that it implies, such as `Content-Encoding` or `Digest`; a field of the request replaces all of
        /// its name. Default none.
        public var fields: HTTPFields

        /// Pairs content with its type, and with what else it implies.
        public init(_ content: Content, contentType: String? = nil, fields: HTTPFields = [:]) {
            self.content = content
            self.contentType = contentType
            self.fields = fields
        }
    }

    /// What is sent, complete or made while it goes out.
    public enum Content: Sendable {
        case none
        case bytes(Bytes)
        /// A stream made anew for each attempt; `length` nil sends it chunked. Without `isReplayable` the request is never
        /// sent twice.
        case stream(length: Int64?, isReplayable: Bool, make: @Sendable () throws -> any BodySource)
    }

    private let resolve: @Sendable (JSONCoding) throws -> Resolved

    /// A body of your own making; `resolve` runs once, when the request is prepared.
    public init(_ resolve: @escaping @Sendable (JSONCoding) throws -> Resolved) {
        self.resolve = resolve
    }

    /// Produces what is sent; throws `.encoding`, and `.cancelled` for a `CancellationError`.
    public func resolved(with coding: JSONCoding) throws(NetError) -> Resolved {
        do {
            return try resolve(coding)
        } catch {
            if let error = NetError(ours: error) { throw error }
            throw NetError(
                error is CancellationError ? .cancelled : .encoding, phase: .preparing,
                message: "the request body cannot be encoded: \(ErrorSummary.describe(error))", underlying: error)
        }
    }
}

extension RequestBody {
    /// No body.
    public static let none = RequestBody { _ in Resolved(.none) }

    /// Bytes as they are; `contentType` nil sends no `Content-Type`.
    public static func bytes(_ bytes: Bytes, contentType: String? = "application/octet-stream") -> RequestBody {
        RequestBody { _ in Resolved(.bytes(bytes), contentType: contentType) }
    }

    /// Data as it is; `contentType` nil sends no `Content-Type`.
    public static func data(_ data: Data, contentType: String? = "application/octet-stream") -> RequestBody {
        RequestBody { _ in Resolved(.bytes(Bytes(data)), contentType: contentType) }
    }

    /// Text in the charset that the content type names, UTF-8 where it names none.
    ///
    ///     let body = RequestBody.text("café", contentType: "text/plain; charset=iso-8859-1")
    ///
    /// A charset that is not known, and a character that it lacks, are an `.encoding` error.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> RequestBody {
        RequestBody { _ in
            Resolved(.bytes(try Charset.encode(text, contentType: contentType)), contentType: contentType)
        }
    }

    /// Text in a charset; a character that it lacks is an `.encoding` error.
    ///
    /// - Parameter contentType: The `Content-Type`. Default nil: `text/plain` with the charset.
    public static func text(_ text: String, charset: Charset, contentType: String? = nil) -> RequestBody {
        RequestBody { _ in
            Resolved(
                .bytes(try charset.bytes(of: text)), contentType: contentType ?? "text/plain; charset=\(charset.name)")
        }
    }

    /// A value as JSON; `coding` nil takes the client's.
    ///
    /// JSON is UTF-8. Where the content type names another charset, the bytes are good in that one: what is not ASCII becomes
    /// an escape sequence, UTF-16 and UTF-32 are written as such. One that is not known is an `.encoding` error.
    public static func json(
        _ value: some Encodable & Sendable, coding: JSONCoding? = nil, contentType: String = "application/json"
    ) -> RequestBody {
        RequestBody { standard in
            let json = try (coding ?? standard).encode(value)
            return Resolved(.bytes(try Charset.encode(json: json, contentType: contentType)), contentType: contentType)
        }
    }

    /// Names and values as `application/x-www-form-urlencoded` (WHATWG URL section 5). An item that cannot be sent, such as a
    /// date that no text can hold or a value that is marked as encoded and is not, makes preparing the request throw
    /// `.invalidRequest`, as it does in a query.
    public static func form(_ items: [QueryItem]) -> RequestBody {
        RequestBody { _ in
            if let problem = items.lazy.compactMap(\.problem).first {
                throw NetError(.invalidRequest, phase: .preparing, message: "in the form of the body, \(problem)")
            }
            let text = items.formEncoded
            if let bad = text.utf8.first(where: { $0 <= 32 || $0 >= 127 }) {
                throw NetError(
                    .invalidRequest, phase: .preparing,
                    message:
                        "the form of the body has the byte 0x\(String(bad, radix: 16)), which must be percent-encoded; "
                        + "check the values that are marked as encoded")
            }
            return Resolved(.bytes(Bytes(text.utf8)), contentType: "application/x-www-form-urlencoded")
        }
    }

    /// Chunks that are made while they go out; a slow peer suspends the sequence.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, where it is known; nil sends `Transfer-Encoding: chunked` on HTTP/1.1. A sequence of
    ///     fewer or more fails the call with `.encoding`; more that come only after the answer go unnoticed.
    ///   - contentType: The `Content-Type`; nil for none.
    ///   - isReplayable: Whether iterating the sequence again yields the same bytes. Default false: the request is then
    ///     never retried once it was sent, and to send it again yourself, or a copy of it, fails with `.encoding`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int64? = nil, contentType: String? = "application/octet-stream",
        isReplayable: Bool = false
    ) -> RequestBody where Chunks.Element == Bytes {
        let use = isReplayable ? nil : OneTimeUse()
        return RequestBody { _ in
            Resolved(
                .stream(length: length, isReplayable: isReplayable) { SequenceBodySource(chunks, use: use) },
                contentType: contentType)
        }
    }
}
