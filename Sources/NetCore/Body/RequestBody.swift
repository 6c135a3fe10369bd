public import HTTPTypes

/// The body of a request: none, bytes, a value to encode, or a stream.
///
/// A body is encoded when the request is prepared, with the client's coders unless it has its own. If that fails,
/// preparing throws `.encoding` before anything is sent. Each kind implies a `Content-Type`, and a custom body may
/// imply other headers; headers of the request override them.
///
///     let body = RequestBody.json(["name": "Ada"])
public struct RequestBody: Sendable {
    /// An encoded body, as it's sent.
    public struct Resolved: Sendable {
        /// The bytes or the stream.
        public var content: Content
        /// The implied `Content-Type`; nil for none.
        public var contentType: String?
        /// Other implied headers, such as `Content-Encoding` or `Digest`. A header of the request replaces all of them
        /// with its name. Default none.
        public var headers: HTTPFields

        /// Creates an encoded body from its content and the headers that it implies.
        public init(_ content: Content, contentType: String? = nil, headers: HTTPFields = [:]) {
            self.content = content
            self.contentType = contentType
            self.headers = headers
        }
    }

    /// The content of a body: none, complete, or produced while it's sent.
    public enum Content: Sendable {
        case none
        case bytes(Bytes)
        /// A stream, created anew for each attempt. `length` is in bytes; nil sends the stream chunked. Without
        /// `isReplayable`, the request is never sent twice.
        case stream(length: Int64?, isReplayable: Bool, make: @Sendable () throws -> any BodySource)
    }

    private let resolve: @Sendable (JSONCoding) throws -> Resolved

    /// Creates a custom body. `resolve` runs once, when the request is prepared.
    public init(_ resolve: @escaping @Sendable (JSONCoding) throws -> Resolved) {
        self.resolve = resolve
    }

    /// Returns the encoded body; throws `.encoding`, and `.cancelled` for a `CancellationError`.
    public func resolved(with coding: JSONCoding) throws(NetError) -> Resolved {
        do {
            return try resolve(coding)
        } catch {
            if let error = NetError(error) { throw error }
            throw NetError(
                error is CancellationError ? .cancelled : .encoding, phase: .preparing,
                message: "the request body cannot be encoded: \(ErrorSummary.describe(error))", underlying: error)
        }
    }
}

extension RequestBody {
    /// No body.
    public static let none = RequestBody { _ in Resolved(.none) }

    /// Creates a body of bytes, sent unchanged. With `contentType` nil, no `Content-Type` is sent.
    ///
    ///     let body = RequestBody.bytes("hello".utf8, contentType: "text/plain")
    public static func bytes(
        _ bytes: some Collection<UInt8>, contentType: String? = "application/octet-stream"
    ) -> RequestBody {
        let bytes = Bytes(bytes)
        return RequestBody { _ in Resolved(.bytes(bytes), contentType: contentType) }
    }

    /// Creates a body of text in the charset of the content type, or in UTF-8 if it names none.
    ///
    ///     let body = RequestBody.text("café", contentType: "text/plain; charset=iso-8859-1")
    ///
    /// An unknown charset, or a character that the charset can't represent, is an `.encoding` error.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> RequestBody {
        RequestBody { _ in
            Resolved(.bytes(try Charset.encode(text, contentType: contentType)), contentType: contentType)
        }
    }

    /// Creates a body of text in a charset. A character that the charset can't represent is an `.encoding` error.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - charset: The charset.
    ///   - contentType: The `Content-Type`. Default nil: `text/plain` with the charset.
    public static func text(_ text: String, charset: Charset, contentType: String? = nil) -> RequestBody {
        RequestBody { _ in
            Resolved(
                .bytes(try charset.bytes(of: text)), contentType: contentType ?? "text/plain; charset=\(charset.name)")
        }
    }

    /// Creates a body of a value as JSON; `coding` nil uses the client's coders.
    ///
    /// JSON is UTF-8. If the content type names another charset, the bytes are valid in that one: UTF-16 and UTF-32 are
    /// written as such, and for other charsets, non-ASCII characters become escape sequences. An unknown charset is an
    /// `.encoding` error.
    public static func json(
        _ value: some Encodable & Sendable, coding: JSONCoding? = nil, contentType: String = "application/json"
    ) -> RequestBody {
        RequestBody { standard in
            let json = try (coding ?? standard).encode(value)
            return Resolved(.bytes(try Charset.encode(json: json, contentType: contentType)), contentType: contentType)
        }
    }

    /// Creates a body of names and values as `application/x-www-form-urlencoded` (WHATWG URL section 5).
    ///
    /// An item that can't be sent, such as a date without a text form or a value that is wrongly marked as encoded,
    /// makes preparing the request throw `.invalidRequest`, as in a query.
    public static func form(_ items: QueryItems) -> RequestBody {
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

    /// Creates a body from a sequence of chunks, read while the body is sent. A slow peer suspends the sequence.
    ///
    /// - Parameters:
    ///   - chunks: The chunks, in order.
    ///   - length: The number of bytes; nil if it's unknown, which sends `Transfer-Encoding: chunked` on HTTP/1.1. If
    ///     the sequence has fewer or more bytes, the call fails with `.encoding`; extra bytes that come only after the
    ///     response aren't detected.
    ///   - contentType: The `Content-Type`; nil for none.
    ///   - isReplayable: True if iterating the sequence again yields the same bytes. Default false: the request is then
    ///     never retried once it was sent, and sending it or a copy of it again fails with `.encoding`.
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
