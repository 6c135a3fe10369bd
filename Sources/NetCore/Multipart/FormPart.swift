public import HTTPTypes

/// One part of a form to send (RFC 7578).
///
///     let parts: [FormPart] = [
///         .text("caption", "A cat"),
///         .file("photo", path: "/tmp/cat.png"),
///         .data("raw", [1, 2, 3], filename: "raw.bin"),
///     ]
///     let body = RequestBody.multipart(parts)
public struct FormPart: Sendable {
    enum Content: Sendable {
        case bytes(Bytes)
        /// Encoded when the request is prepared, with the client's coders.
        case encoded(@Sendable (JSONCoding) throws -> Bytes)
        case file(path: String)
        case stream(length: Int64?, isReplayable: Bool, make: @Sendable () throws -> any BodySource)
    }

    /// The name of the field; must not be empty.
    public let name: String
    /// The file name; nil for a value that isn't a file.
    public let filename: String?
    /// The `Content-Type`; nil sends none, which means `text/plain`.
    public let contentType: String?
    /// Additional headers of the part. Default none. They must not include `Content-Disposition` and `Content-Type`.
    public var headers: HTTPFields = [:]
    let content: Content

    init(_ name: String, filename: String?, contentType: String?, _ content: Content) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
        self.content = content
    }

    /// Creates a part of text, in the charset of the content type, or in UTF-8 if it names none. Line breaks become
    /// CRLF, as in browsers.
    ///
    /// An unknown charset, or a character that the charset can't represent, is an `.encoding` error when the request
    /// is prepared.
    public static func text(_ name: String, _ text: String, contentType: String? = nil) -> FormPart {
        let text = text.withNetworkLineEnds
        guard let contentType else { return FormPart(name, filename: nil, contentType: nil, .bytes(Bytes(text.utf8))) }
        return FormPart(
            name, filename: nil, contentType: contentType,
            .encoded { _ in try Charset.encode(text, contentType: contentType) })
    }

    /// Creates a part of bytes, sent unchanged.
    ///
    /// - Parameters:
    ///   - name: The name of the form's field.
    ///   - bytes: The contents.
    ///   - filename: The file name to send. Default nil: none.
    ///   - contentType: The `Content-Type`. Default nil: the type for the file's name, or else the type detected from
    ///     the bytes, or else `application/octet-stream`.
    public static func data(
        _ name: String, _ bytes: some Collection<UInt8>, filename: String? = nil, contentType: String? = nil
    ) -> FormPart {
        let bytes = Bytes(bytes)
        let type = contentType ?? (named(filename) ?? .sniff(bytes) ?? .octetStream).description
        return FormPart(name, filename: filename, contentType: type, .bytes(bytes))
    }

    /// Creates a part of a value as JSON; `coding` nil uses the client's coders. For charsets other than UTF-8, see
    /// ``RequestBody/json(_:coding:contentType:)``.
    public static func json(
        _ name: String, _ value: some Encodable & Sendable, coding: JSONCoding? = nil,
        contentType: String = "application/json"
    ) -> FormPart {
        FormPart(
            name, filename: nil, contentType: contentType,
            .encoded { try Charset.encode(json: (coding ?? $0).encode(value), contentType: contentType) })
    }

    /// Creates a part of a file, which is read while it's sent and never held in memory; see
    /// ``RequestBody/file(_:contentType:)``.
    ///
    /// - Parameters:
    ///   - name: The name of the form's field.
    ///   - file: The path of the file, or its URL.
    ///   - filename: The file name to send. Default nil: the last component of the path.
    ///   - contentType: The `Content-Type`. Default nil: the type for the file's name, or `application/octet-stream`.
    ///     ``MediaType/ofFile(_:)`` also examines the contents.
    public static func file(
        _ name: String, path file: some FilePathConvertible, filename: String? = nil, contentType: String? = nil
    ) -> FormPart {
        let path = file.filePath
        let sent = filename ?? path.split(separator: "/").last.map(String.init) ?? path
        let type = contentType ?? (named(sent) ?? named(path) ?? .octetStream).description
        return FormPart(name, filename: sent, contentType: type, .file(path: path))
    }

    /// Creates a part from a sequence of chunks, read while the body is sent. A slow peer suspends the sequence.
    ///
    /// - Parameters:
    ///   - name: The name of the form's field.
    ///   - chunks: The chunks, in order.
    ///   - filename: The file name to send. Default nil: none.
    ///   - contentType: The `Content-Type`. Default `application/octet-stream`.
    ///   - length: The number of bytes; nil if it's unknown, which sends the whole body without `Content-Length`.
    ///   - isReplayable: True if iterating the sequence again yields the same bytes. Default false: reading it again
    ///     fails with `.encoding`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ name: String, _ chunks: Chunks, length: Int64? = nil, filename: String? = nil,
        contentType: String = "application/octet-stream", isReplayable: Bool = false
    ) -> FormPart where Chunks.Element == Bytes {
        let use = isReplayable ? nil : OneTimeUse()
        return FormPart(
            name, filename: filename, contentType: contentType,
            .stream(length: length, isReplayable: isReplayable) { SequenceBodySource(chunks, use: use) })
    }

    /// Returns the type for a file name; nil if the name isn't conclusive, such as with the extension `bin`.
    package static func named(_ filename: String?) -> MediaType? {
        filename.flatMap { MediaType.forFile(named: $0) }.flatMap { $0 == .octetStream ? nil : $0 }
    }
}

extension String {
    /// The text with CRLF for each LF, CR and CRLF.
    var withNetworkLineEnds: String {
        guard utf8.contains(where: { $0 == 10 || $0 == 13 }) else { return self }
        var output: [UInt8] = []
        var previous: UInt8 = 0
        for byte in utf8 {
            if byte == 13 || byte == 10 && previous != 13 { output += [13, 10] }
            if byte != 13, byte != 10 { output.append(byte) }
            previous = byte
        }
        return String(decoding: output, as: UTF8.self)
    }
}
