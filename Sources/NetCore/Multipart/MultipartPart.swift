package import HTTPTypes

/// One part of a multipart body (RFC 2046 section 5.1).
package struct MultipartPart: Sendable {
    package let headers: HTTPFields
    package let body: Bytes
    /// The range of its content in the whole body.
    let range: Range<Int>
    /// True if every line of its head is a valid field.
    private let isReadable: Bool

    /// The name in `Content-Disposition`.
    package var name: String? { Self.parameter("name", of: headers[.contentDisposition] ?? "") }
    /// The file name in `Content-Disposition`.
    package var filename: String? { Self.parameter("filename", of: headers[.contentDisposition] ?? "") }

    /// Returns the boundary of a multipart media type; nil if it isn't one, or has no boundary that RFC 2046 allows.
    package static func boundary(of contentType: String) -> String? {
        guard contentType.lowercased().hasPrefix("multipart/"),
            let boundary = parameter("boundary", of: contentType), !boundary.isEmpty, boundary.utf8.count <= 70
        else { return nil }
        return boundary
    }

    /// Returns the parts of a complete body; nil if the closing delimiter is missing, or if a part's head is malformed.
    package static func parts(of body: Bytes, boundary: String) -> [MultipartPart]? {
        let found = parts(in: Array(body), boundary: boundary)
        return found.isWhole ? found.parts : nil
    }

    /// Returns the parts of a body that may be truncated, the last one as far as it was received; `isWhole` is true
    /// if the body is complete and well-formed.
    package static func parts(in bytes: [UInt8], boundary: String) -> (parts: [MultipartPart], isWhole: Bool) {
        let delimiter = Array("--\(boundary)".utf8)
        var parts: [MultipartPart] = []
        var isReadable = true
        var start: Int?
        var place = 0
        while let found = find(delimiter, in: bytes, from: place, atLineStart: true) {
            // The line break before a delimiter belongs to the delimiter.
            if let start {
                let part = MultipartPart(bytes, from: start, to: max(start, found - 2))
                isReadable = isReadable && part?.isReadable == true
                if let part { parts.append(part) }
            }
            let after = found + delimiter.count
            if bytes[after...].starts(with: "--".utf8) { return (parts, isReadable) }
            guard let line = find(Array("\r\n".utf8), in: bytes, from: after) else { return (parts, false) }
            start = line + 2
            place = line
        }
        if let start, let part = MultipartPart(bytes, from: start, to: bytes.count) { parts.append(part) }
        return (parts, false)
    }

    /// Parses the text between two delimiters; nil if no empty line ends the head.
    private init?(_ bytes: [UInt8], from start: Int, to end: Int) {
        var headers = HTTPFields()
        var isReadable = true
        var place = start
        // A part without headers begins with the empty line.
        while !bytes[place..<end].starts(with: "\r\n".utf8) {
            guard let lineEnd = Self.find(Array("\r\n".utf8), in: bytes, from: place), lineEnd + 2 <= end else {
                return nil
            }
            let line = String(decoding: bytes[place..<lineEnd], as: UTF8.self)
            if let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) {
                headers.append(HTTPField(name: name, value: line[line.index(after: colon)...].trimmed))
            } else {
                isReadable = false
            }
            place = lineEnd + 2
        }
        self.headers = headers
        self.isReadable = isReadable
        range = place + 2..<end
        body = Bytes(Array(bytes[range]))
    }

    /// Returns the index of a pattern; with `atLineStart`, only at the beginning of the body or after a line break.
    private static func find(
        _ pattern: [UInt8], in bytes: [UInt8], from start: Int, atLineStart: Bool = false
    ) -> Int? {
        guard let first = pattern.first else { return nil }
        var place = start
        while place + pattern.count <= bytes.count {
            guard let found = bytes[place...].firstIndex(of: first), found + pattern.count <= bytes.count else {
                return nil
            }
            let isInPlace = !atLineStart || found == 0 || bytes[..<found].suffix(2).elementsEqual([0x0d, 0x0a])
            if isInPlace, bytes[found..<found + pattern.count].elementsEqual(pattern) { return found }
            place = found + 1
        }
        return nil
    }

    /// Returns a parameter of a header value (RFC 9110 section 5.6.6), quoted or not; names are compared ignoring case.
    package static func parameter(_ name: String, of value: String) -> String? {
        var rest = Array(value)[...]
        rest = rest.drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst()
            let key = String(rest.prefix { $0 != "=" && $0 != ";" }).trimmed.lowercased()
            rest = rest.drop { $0 != "=" && $0 != ";" }
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            var text = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let next = rest.popFirst(), next != "\"" {
                    text.append(next == "\\" ? rest.popFirst() ?? next : next)
                }
                rest = rest.drop { $0 != ";" }
            } else {
                text = String(rest.prefix { $0 != ";" }).trimmed
                rest = rest.drop { $0 != ";" }
            }
            if key == name { return text }
        }
        return nil
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at both ends.
    package var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
