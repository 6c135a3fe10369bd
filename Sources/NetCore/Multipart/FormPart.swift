public import HTTPTypes

/// One part of a form that is sent (RFC 7578).
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
        /// Made when the request is prepared, with the client's coders.
        case encoded(@Sendable (JSONCoding) throws -> Bytes)
        case file(path: String)
        case stream(length: Int64?, isReplayable: Bool, make: @Sendable () throws -> any BodySource)
    }

    /// The field's name; must not be empty.
    public let name: String
    /// The file's name; nil for a value that is no file.
    public let filename: String?
    /// The `Content-Type`; nil sends none, which means `text/plain`.
    public let contentType: String?
    /// Further fields of the part. Default none. `Content-Disposition` and `Content-Type` are not among them.
    public var headers: HTTPFields = [:]
    let content: Content

    init(_ name: String, filename: String?, contentType: String?, _ content: Content) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
        self.content = content
    }

    /// A text in the charset that the content type names, UTF-8 where it names none. Line ends become CRLF, as a browser
    /// sends them.
    ///
    /// A charset that is not known, and a character that it lacks, are an `.encoding` error when the request is prepared.
    public static func text(_ name: String, _ text: String, contentType: String? = nil) -> FormPart {
        let text = text.withNetworkLineEnds
        guard let contentType else { return FormPart(name, filename: nil, contentType: nil, .bytes(Bytes(text.utf8))) }
        return FormPart(
            name, filename: nil, contentType: contentType,
            .encoded { _ in try Charset.encode(text, contentType: contentType) })
    }

    /// Bytes as they are.
    ///
    /// - Parameter contentType: Default nil: what the file's name says, else what the bytes say, else
    ///   `application/octet-stream`.
    public static func data(
        _ name: String, _ bytes: some Collection<UInt8>, filename: String? = nil, contentType: String? = nil
    ) -> FormPart {
        let bytes = Bytes(bytes)
        let type = contentType ?? (named(filename) ?? .sniff(bytes) ?? .octetStream).description
        return FormPart(name, filename: filename, contentType: type, .bytes(bytes))
    }

    /// A value as JSON; `coding` nil takes the client's coders. Of another charset than UTF-8 see
    /// ``RequestBody/json(_:coding:contentType:)``.
    public static func json(
        _ name: String, _ value: some Encodable & Sendable, coding: JSONCoding? = nil,
        contentType: String = "application/json"
    ) -> FormPart {
        FormPart(
            name, filename: nil, contentType: contentType,
            .encoded { try Charset.encode(json: (coding ?? $0).encode(value), contentType: contentType) })
    }

    /// A file, read while it goes out and never held in memory; see ``RequestBody/file(_:contentType:)``.
    ///
    /// - Parameters:
    ///   - file: The path of the file, or its URL.
    ///   - filename: The name that is sent. Default nil: the last component of the path.
    ///   - contentType: Default nil: what the name says, else `application/octet-stream`. ``MediaType/ofFile(_:)`` looks
    ///     into the file.
    public static func file(
        _ name: String, path file: some FilePathConvertible, filename: String? = nil, contentType: String? = nil
    ) -> FormPart {
        let path = file.filePath
        let sent = filename ?? path.split(separator: "/").last.map(String.init) ?? path
        let type = contentType ?? (named(sent) ?? named(path) ?? .octetStream).description
        return FormPart(name, filename: sent, contentType: type, .file(path: path))
    }

    /// Chunks that are made while they go out; a slow peer suspends the sequence.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, where it is known; nil sends the whole body without `Content-Length`.
    ///   - isReplayable: Whether iterating the sequence again yields the same bytes. Default false: what reads it again fails
    ///     with `.encoding`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ name: String, _ chunks: Chunks, length: Int64? = nil, filename: String? = nil,
        contentType: String = "application/octet-stream", isReplayable: Bool = false
    ) -> FormPart where Chunks.Element == Bytes {
        let use = isReplayable ? nil : OneTimeUse()
        return FormPart(
            name, filename: filename, contentType: contentType,
            .stream(length: length, isReplayable: isReplayable) { SequenceBodySource(chunks, use: use) })
    }

    /// What a name says; `bin` and its like say nothing.
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
