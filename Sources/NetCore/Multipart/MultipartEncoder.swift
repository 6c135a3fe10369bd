internal import HTTPTypes

/// Lays out a form as segments: the contents of the parts, and the heads and boundaries between them.
struct MultipartEncoder {
    private let form: MultipartForm
    private let contents: [FormPart.Content]
    private let boundary: String

    /// Encodes the parts that need encoding, and chooses the boundary.
    init(_ form: MultipartForm, coding: JSONCoding, random: NetRandom) throws {
        if let problem = form.problem { throw Self.refuse(problem) }
        contents = try form.parts.map { part in
            guard case .encoded(let encode) = part.content else { return part.content }
            return .bytes(try encode(coding))
        }
        self.form = form
        boundary = try Self.boundary(form.boundary, contents, random)
    }

    /// Returns the body: bytes if all parts are in memory, or else a stream.
    func resolved() throws(NetError) -> RequestBody.Resolved {
        var segments: [MultipartSource.Segment] = []
        var pending: [UInt8] = []
        for (part, content) in zip(form.parts, contents) {
            pending += "--\(boundary)\r\n".utf8
            pending += try Self.head(of: part).utf8
            switch content {
            case .bytes(let bytes): pending += bytes
            case .file(let path):
                let length = try ReadableFile.length(path: path)
                segments += [.bytes(Bytes(pending)), .file(path: path, length: length)]
                pending = []
            case .stream(let length, let isReplayable, let make):
                if let length, length < 0 {
                    throw Self.refuse(
                        "the length of the part \"\(Self.escape(part.name))\" is negative (\(length)); pass nil if "
                            + "it's unknown"
                    )
                }
                segments += [.bytes(Bytes(pending)), .stream(length: length, isReplayable: isReplayable, make: make)]
                pending = []
            case .encoded: break
            }
            pending += "\r\n".utf8
        }
        pending += "--\(boundary)--\r\n".utf8
        segments.append(.bytes(Bytes(pending)))
        let type = "multipart/form-data; boundary=\(FieldValueReader.quoted(boundary))"
        if segments.count == 1 { return .init(.bytes(Bytes(pending)), contentType: type) }
        return .init(
            .stream(length: try Self.length(of: segments), isReplayable: segments.allSatisfy(\.isReplayable)) {
                [segments] in
                MultipartSource(segments)
            }, contentType: type)
    }

    /// Returns the total length; nil if one of the lengths is unknown.
    private static func length(of segments: [MultipartSource.Segment]) throws(NetError) -> Int64? {
        var sum: Int64 = 0
        for segment in segments {
            guard let length = segment.length else { return nil }
            let (next, isTooMuch) = sum.addingReportingOverflow(length)
            if isTooMuch { throw refuse("its parts have more bytes than 64 bits can count") }
            sum = next
        }
        return sum
    }

    private static func head(of part: FormPart) throws(NetError) -> String {
        guard !part.name.isEmpty else { throw refuse("a part has no name") }
        for text in [part.name, part.filename ?? ""] where text.utf8.contains(where: isRefused) {
            throw refuse("the part \"\(escape(part.name))\" has a control character in its name or file name")
        }
        // Line breaks become CRLF in names, but not in file names (WHATWG HTML, multipart form data).
        var head = "Content-Disposition: form-data; name=\"\(escape(part.name.withNetworkLineEnds))\""
        if let filename = part.filename { head += "; filename=\"\(escape(filename))\"" }
        head += "\r\n"
        if let type = part.contentType {
            guard MediaType(type) != nil else {
                throw refuse("the content type of the part \"\(escape(part.name))\" isn't a media type")
            }
            head += "Content-Type: \(type)\r\n"
        }
        for field in part.headers {
            guard field.name != .contentType, field.name != .contentDisposition else {
                throw refuse("the part \"\(escape(part.name))\" has the field \(field.name.rawName) twice")
            }
            head += "\(field.name.rawName): \(field.value)\r\n"
        }
        return head + "\r\n"
    }

    /// Returns true for control characters except tab, and except CR and LF, which are escaped.
    private static func isRefused(_ byte: UInt8) -> Bool {
        byte == 127 || byte < 32 && byte != 9 && byte != 10 && byte != 13
    }

    private static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case "\"": result += "%22"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func refuse(_ message: String) -> NetError {
        NetError(.encoding, phase: .preparing, message: "the form cannot be written: \(message)")
    }
}

extension MultipartEncoder {
    private static func boundary(
        _ given: String?, _ contents: [FormPart.Content], _ random: NetRandom
    ) throws(NetError) -> String {
        func occurs(_ boundary: String) -> Bool {
            let needle = Array("--\(boundary)".utf8)
            return contents.contains { if case .bytes(let bytes) = $0 { bytes.contains(needle) } else { false } }
        }
        if let given {
            guard isBoundary(given) else {
                throw refuse(
                    "a boundary has 1 to 70 letters, digits, and '()+_,-./:=? or spaces before its last character")
            }
            guard !occurs(given) else { throw refuse("the boundary occurs in a part; choose another one, or omit it") }
            return given
        }
        // The number ends the search if a generator always returns the same bits.
        for number in 0... {
            let boundary =
                "net-form-\(random.next().paddedHexadecimal)\(random.next().paddedHexadecimal)\(number == 0 ? "" : "-\(number)")"
            if !occurs(boundary) { return boundary }
        }
        throw refuse("every boundary that was tried occurs in a part")
    }

    /// Returns true for a valid boundary (RFC 2046 section 5.1.1).
    static func isBoundary(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.utf8.last != 32
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122: true
                default: "'()+_,-./:=? ".utf8.contains(byte)
                }
            }
    }
}

extension Bytes {
    fileprivate func contains(_ needle: [UInt8]) -> Bool {
        guard let first = needle.first, count >= needle.count else { return false }
        return withUnsafeBytes { bytes in
            (0...(bytes.count - needle.count)).contains { start in
                bytes[start] == first && bytes[start..<start + needle.count].elementsEqual(needle)
            }
        }
    }
}
