package import HTTPTypes

/// A header block as it came from the network: one buffer, parsed only where somebody looks.
package final class HeaderBlock: Sendable {
    private let bytes: [UInt8]

    /// Takes the field lines, each with its line end; the status line is not among them.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// All fields; lines that are no field are left out.
    package var fields: HTTPFields {
        var fields = HTTPFields()
        forEachLine { name, value in
            guard let name = HTTPField.Name(String(decoding: name, as: UTF8.self)) else { return }
            fields.append(HTTPField(name: name, value: String(decoding: value, as: UTF8.self)))
        }
        return fields
    }

    /// The value of a field, several joined by `, ` (RFC 9110 section 5.3).
    package subscript(name: HTTPField.Name) -> String? {
        let wanted = name.canonicalName.utf8
        var result: String?
        forEachLine { lineName, value in
            guard lineName.count == wanted.count, zip(lineName, wanted).allSatisfy({ Self.lower($0) == $1 }) else {
                return
            }
            let text = String(decoding: value, as: UTF8.self)
            result = result.map { "\($0), \(text)" } ?? text
        }
        return result
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte >= 65 && byte <= 90 ? byte | 0x20 : byte
    }

    private func forEachLine(_ body: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Void) {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
            let line = bytes[start..<end]
            start = end + 1
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { continue }
            var value = line[(colon + 1)...]
            while let first = value.first, first == 32 || first == 9 { value = value.dropFirst() }
            while let last = value.last, last == 32 || last == 9 || last == 13 { value = value.dropLast() }
            body(line[..<colon], value)
        }
    }
}
