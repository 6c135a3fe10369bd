package import HTTPTypes

/// A header block as received: one buffer, which is parsed only when it's read.
package final class HeaderBlock: Sendable {
    private let bytes: [UInt8]
    /// True if a line may be a `Content-Encoding`, as detected while the lines were collected.
    package let mayHaveContentEncoding: Bool

    /// Creates a block of field lines, each with its line end, without the status line.
    package init(_ bytes: [UInt8], mayHaveContentEncoding: Bool = true) {
        self.bytes = bytes
        self.mayHaveContentEncoding = mayHaveContentEncoding
    }

    /// All fields; invalid lines are skipped.
    package var headers: HTTPFields {
        var headers = HTTPFields()
        forEachLine { name, value in
            guard let name = HTTPField.Name(String(decoding: name, as: UTF8.self)) else { return }
            headers.append(HTTPField(name: name, value: value))
        }
        return headers
    }

    /// The value of a field. Several values are joined as in `HTTPFields`: with `, `, or with `; ` for cookies.
    package subscript(name: HTTPField.Name) -> String? {
        let wanted = name.canonicalName.utf8
        let separator = name == .cookie ? "; " : ", "
        var result: String?
        forEachLine { lineName, value in
            guard lineName.count == wanted.count, zip(lineName, wanted).allSatisfy({ Self.lower($0) == $1 }) else {
                return
            }
            let text = HTTPField(name: name, value: value).value
            result = result.map { $0 + separator + text } ?? text
        }
        return result
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte >= 65 && byte <= 90 ? byte | 0x20 : byte
    }

    private func forEachLine(_ body: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Void) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let line = Self.line(from: &rest)
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
                while let first = rest.first, Self.isBlank(first) { _ = Self.line(from: &rest) }
                continue
            }
            var value = Self.trimmed(line[(colon + 1)...])
            // A line that begins with a blank continues the line before it (RFC 9112 section 5.2).
            while let first = rest.first, Self.isBlank(first) {
                let more = Self.trimmed(Self.line(from: &rest))
                if !more.isEmpty { value = value.isEmpty ? more : (value + [32] + more)[...] }
            }
            var name = line[..<colon]
            // A blank before the colon isn't allowed, and isn't part of the name (RFC 9112 section 5.1).
            while let last = name.last, Self.isBlank(last) { name.removeLast() }
            body(name, value)
        }
    }

    private static func line(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = rest.firstIndex(of: 10) ?? rest.endIndex
        defer { rest = rest[min(end + 1, rest.endIndex)...] }
        return rest[..<end]
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line.drop(while: isBlank)
        while let last = line.last, isBlank(last) || last == 13 { line.removeLast() }
        return line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}
