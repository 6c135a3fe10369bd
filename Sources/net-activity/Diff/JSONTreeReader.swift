#if Tools
internal import NetCore

/// Parses a UTF-8 JSON text into a ``JSONTree``.
struct JSONTreeReader {
    /// Text with deeper nesting is compared as text.
    private static let maximumDepth = 200

    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    /// Returns the value of a JSON text; nil for anything else.
    static func read(_ text: Bytes) -> JSONTree? {
        // `JSONDocument` accepts only valid JSON, so that the code below needn't check for errors.
        guard (try? JSONDocument(text)) != nil else { return nil }
        return text.withUnsafeBytes { bytes in
            var reader = JSONTreeReader(bytes: bytes)
            if bytes.starts(with: [0xef, 0xbb, 0xbf]) { reader.index = 3 }
            return reader.value(depth: 0)
        }
    }

    private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpaces() {
        while let byte, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { index += 1 }
    }

    private mutating func skip(_ expected: Character) -> Bool {
        skipSpaces()
        guard byte == expected.asciiValue else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) -> JSONTree? {
        skipSpaces()
        guard depth < Self.maximumDepth, let byte else { return nil }
        switch byte {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return array(depth)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return literal(4, .bool(true))
        case UInt8(ascii: "f"): return literal(5, .bool(false))
        case UInt8(ascii: "n"): return literal(4, .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        // Text in UTF-16, for example.
        default: return nil
        }
    }

    private mutating func literal(_ length: Int, _ value: JSONTree) -> JSONTree {
        index += length
        return value
    }

    private mutating func number() -> JSONTree {
        let start = index
        while let byte, (48...57).contains(byte) || "+-.eE".utf8.contains(byte) { index += 1 }
        return .number(JSONFigure(String(decoding: bytes[start..<index], as: UTF8.self)))
    }

    private mutating func array(_ depth: Int) -> JSONTree? {
        index += 1
        var elements: [JSONTree] = []
        if skip("]") { return .array(elements) }
        repeat {
            guard let element = value(depth: depth + 1) else { return nil }
            elements.append(element)
        } while skip(",")
        return skip("]") ? .array(elements) : nil
    }

    private mutating func object(_ depth: Int) -> JSONTree? {
        index += 1
        var members: [String: JSONTree] = [:]
        if skip("}") { return .object(members) }
        repeat {
            skipSpaces()
            guard byte == UInt8(ascii: "\""), let key = string(), skip(":"), let member = value(depth: depth + 1) else {
                return nil
            }
            members[key] = member
        } while skip(",")
        return skip("}") ? .object(members) : nil
    }

    private mutating func string() -> String? {
        index += 1
        let start = index
        while let byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { index += 1 }
        guard let byte else { return nil }
        if byte == UInt8(ascii: "\"") {
            index += 1
            return String(decoding: bytes[start..<(index - 1)], as: UTF8.self)
        }
        return escaped(from: start)
    }

    /// Parses the rest of a string from its first escape.
    private mutating func escaped(from start: Int) -> String? {
        var units = Array(String(decoding: bytes[start..<index], as: UTF8.self).utf16)
        var plain = index
        while let byte, byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            units += String(decoding: bytes[plain..<index], as: UTF8.self).utf16
            guard index + 1 < bytes.count, let unit = unit(bytes[index + 1]) else { return nil }
            units.append(unit)
            plain = index
        }
        guard byte != nil else { return nil }
        units += String(decoding: bytes[plain..<index], as: UTF8.self).utf16
        index += 1
        return String(decoding: units, as: UTF16.self)
    }

    /// Parses the escape with the given letter, which begins at ``index``.
    private mutating func unit(_ letter: UInt8) -> UInt16? {
        index += 2
        switch letter {
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "u"):
            guard index + 4 <= bytes.count else { return nil }
            index += 4
            return UInt16(String(decoding: bytes[(index - 4)..<index], as: UTF8.self), radix: 16)
        default: return UInt16(letter)
        }
    }
}
#endif
