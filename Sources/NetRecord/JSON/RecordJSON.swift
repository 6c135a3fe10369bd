package import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// JSON for people and diffs: sorted keys, two spaces of indent, one member per line. Equal values give equal text.
package enum RecordJSON {
    static func write(_ value: JSONValue) -> String {
        var text = ""
        append(value, indent: "", to: &text)
        return text + "\n"
    }

    /// Returns the value on one line.
    package static func line(_ value: JSONValue) -> String {
        var text = ""
        appendLine(value, to: &text)
        return text
    }

    private static func appendLine(_ value: JSONValue, to text: inout String) {
        switch value {
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                appendLine(element, to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { text += "," }
                append(member.key, to: &text)
                text += ":"
                appendLine(member.value, to: &text)
            }
            text += "}"
        default: append(value, indent: "", to: &text)
        }
    }

    /// Appends a value; its lines after the first begin with the indent.
    static func append(_ value: JSONValue, indent: String, to text: inout String) {
        let inner = indent + "  "
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .unsigned(let value): text += String(value)
        case .number(let value): text += value.isFinite ? value.description : "0"
        case .decimal(let value): text += value.description
        case .string(let value): append(value, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                text += index == 0 ? "\n\(inner)" : ",\n\(inner)"
                append(element, indent: inner, to: &text)
            }
            text += elements.isEmpty ? "]" : "\n\(indent)]"
        case .object(let members):
            text += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                text += index == 0 ? "\n\(inner)" : ",\n\(inner)"
                append(member.key, to: &text)
                text += ": "
                append(member.value, indent: inner, to: &text)
            }
            text += members.isEmpty ? "}" : "\n\(indent)}"
        }
    }

    /// Appends a string in quotation marks.
    ///
    /// Works byte by byte through a pointer: tests write recordings in unoptimized builds, where iterating over Unicode
    /// scalars costs a hundred times as much.
    static func append(_ string: String, to text: inout String) {
        var string = string
        string.withUTF8 { bytes in
            guard let source = bytes.baseAddress else {
                text += "\"\""
                return
            }
            let size = written(source, bytes.count, to: nil)
            text += String(unsafeUninitializedCapacity: size + 2) { target in
                guard let base = target.baseAddress else { return 0 }
                base[0] = 0x22
                _ = written(source, bytes.count, to: base + 1)
                base[size + 1] = 0x22
                return size + 2
            }
        }
    }

    /// Writes the bytes of a string with escapes, unless `target` is nil; returns the number of bytes.
    private static func written(
        _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>?
    ) -> Int {
        var (index, size) = (0, 0)
        while index < count {
            let byte = source[index]
            if byte >= 0x20, byte != 0x22, byte != 0x5c, byte < 0x7f {
                if let target { target[size] = byte }
                (index, size) = (index + 1, size + 1)
                continue
            }
            if byte == 0x22 || byte == 0x5c || byte == 0x0a || byte == 0x0d || byte == 0x09 {
                if let target {
                    target[size] = 0x5c
                    target[size + 1] = byte == 0x0a ? 0x6e : byte == 0x0d ? 0x72 : byte == 0x09 ? 0x74 : byte
                }
                (index, size) = (index + 1, size + 2)
                continue
            }
            let (scalar, length) = hidden(source + index, count - index)
            if let scalar {
                if let target { escape(scalar, to: target + size) }
                (index, size) = (index + length, size + 6)
            } else {
                if let target { target[size] = byte }
                (index, size) = (index + 1, size + 1)
            }
        }
        return size
    }

    /// Returns the scalar at this position if it's invisible (a control character, a line separator or a byte order
    /// mark), and its length in bytes.
    private static func hidden(_ source: UnsafePointer<UInt8>, _ count: Int) -> (scalar: UInt32?, length: Int) {
        let byte = source[0]
        if byte < 0x20 || byte == 0x7f { return (UInt32(byte), 1) }
        if byte == 0xc2, count > 1, source[1] < 0xa0 { return (UInt32(source[1]), 2) }
        if byte == 0xe2, count > 2, source[1] == 0x80, source[2] == 0xa8 || source[2] == 0xa9 {
            return (0x2000 | UInt32(source[2] & 0x3f), 3)
        }
        if byte == 0xef, count > 2, source[1] == 0xbb, source[2] == 0xbf { return (0xfeff, 3) }
        return (nil, 1)
    }

    /// Writes `\u` and four digits.
    private static func escape(_ scalar: UInt32, to target: UnsafeMutablePointer<UInt8>) {
        target[0] = 0x5c
        target[1] = 0x75
        for digit in 0..<4 {
            let value = UInt8(truncatingIfNeeded: scalar >> UInt32(12 - 4 * digit)) & 15
            target[2 + digit] = value < 10 ? 0x30 + value : 0x57 + value
        }
    }
}
