internal import HTTPTypes

/// The head of a part.
enum MultipartHead {
    /// Parses field lines, each with its CRLF; a line that begins with a blank continues the previous line.
    static func headers(_ bytes: ArraySlice<UInt8>, part: Int) throws(NetError) -> HTTPFields {
        var lines: [[UInt8]] = []
        var rest = bytes
        while let end = rest.indices.first(where: { rest[$0] == 13 && $0 + 1 < rest.endIndex && rest[$0 + 1] == 10 }) {
            let line = rest[..<end]
            rest = rest[(end + 2)...]
            if let first = line.first, first == 32 || first == 9, !lines.isEmpty {
                lines[lines.count - 1] += [32] + line.drop { $0 == 32 || $0 == 9 }
            } else {
                lines.append(Array(line))
            }
        }
        var headers = HTTPFields()
        for line in lines where !line.isEmpty {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
            else { throw malformed("part \(part) has a line that isn't a header field") }
            var value = line[(colon + 1)...].drop { $0 == 32 || $0 == 9 }
            while value.last == 32 || value.last == 9 { value.removeLast() }
            let text = String(decoding: value, as: UTF8.self)
            guard HTTPField.isValidValue(text) else {
                throw malformed("part \(part) has a control character in its field \(name.rawName)")
            }
            headers.append(HTTPField(name: name, value: text))
        }
        return headers
    }

    static func malformed(_ message: String) -> NetError {
        NetError(.decoding, phase: .decoding, message: "the multipart body cannot be read: \(message)")
    }
}
