internal import HTTPTypes
internal import NetCore

/// One part of a multipart body (RFC 2046 section 5.1).
struct MultipartPart: Sendable {
    let fields: HTTPFields
    let body: Bytes

    /// The name in `Content-Disposition`.
    var name: String? { Self.parameter("name", of: fields[.contentDisposition] ?? "") }
    /// The file name in `Content-Disposition`.
    var filename: String? { Self.parameter("filename", of: fields[.contentDisposition] ?? "") }

    /// The parts of a `multipart/form-data` request; nil where it is none or ends before its closing delimiter.
    static func parts(of request: StubRequest) -> [MultipartPart]? {
        guard request.mediaType == "multipart/form-data",
            let boundary = parameter("boundary", of: request.fields[.contentType] ?? ""),
            !boundary.isEmpty, boundary.utf8.count <= 70
        else { return nil }
        // The first delimiter may stand at the very beginning: with a line end before it, all look alike.
        let body = Array("\r\n".utf8) + Array(request.body)
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var parts: [MultipartPart] = []
        var start: Int?
        var place = 0
        while let found = find(delimiter, in: body, from: place) {
            if let start, let part = MultipartPart(body[start..<found]) { parts.append(part) }
            let after = found + delimiter.count
            if body[after...].starts(with: "--".utf8) { return parts }
            guard let line = find(Array("\r\n".utf8), in: body, from: after) else { return nil }
            // A part without fields begins with the empty line itself; its line end is shared with the delimiter's.
            start = line
            place = line
        }
        return nil
    }

    /// Reads what stands between two delimiters, from the line end of the first on.
    private init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard let end = Self.find(Array("\r\n\r\n".utf8), in: bytes, from: 0) else { return nil }
        var fields = HTTPFields()
        for line in String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                return nil
            }
            fields.append(HTTPField(name: name, value: line[line.index(after: colon)...].trimmed))
        }
        self.fields = fields
        body = Bytes(bytes[(end + 4)...])
    }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
        var place = start
        while place <= bytes.count - pattern.count {
            if bytes[place] == first, bytes[place..<place + pattern.count].elementsEqual(pattern) { return place }
            place += 1
        }
        return nil
    }

    /// A parameter of a field value (RFC 9110 section 5.6.6), quoted or not; names are compared without regard to case.
    private static func parameter(_ name: String, of value: String) -> String? {
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
