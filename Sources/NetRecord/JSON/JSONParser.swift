/// Reads JSON (RFC 8259) into nodes with their places. A byte order mark is skipped; nesting ends at 256 levels.
struct JSONParser {
    struct Problem: Error {
        var position: JSONNode.Position
        var place: String
        var problem: String
    }

    private static let maximumDepth = 256
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    static func parse(_ bytes: [UInt8]) throws(Problem) -> JSONNode {
        var parser = JSONParser(bytes)
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { parser.index = 3 }
        parser.skipSpace()
        let node = try parser.value(place: "", depth: 0)
        parser.skipSpace()
        guard parser.index == bytes.count else { throw parser.problem("", "something follows the end of the document") }
        return node
    }

    private var position: JSONNode.Position { .init(line: line, column: index - lineStart + 1) }
    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func problem(_ place: String, _ text: String) -> Problem {
        Problem(
            position: position, place: place, problem: index < bytes.count ? text : "the file ends in the middle of it")
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
            index += 1
            if byte == 0x0a {
                line += 1
                lineStart = index
            }
        }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func value(place: String, depth: Int) throws(Problem) -> JSONNode {
        guard depth < Self.maximumDepth else { throw problem(place, "it is nested too deeply") }
        let start = position
        let kind: JSONNode.Kind
        switch current {
        case UInt8(ascii: "{"): kind = try object(place: place, depth: depth)
        case UInt8(ascii: "["): kind = try array(place: place, depth: depth)
        case UInt8(ascii: "\""): kind = .string(try string(place: place))
        case UInt8(ascii: "t"): kind = try word("true", .bool(true), place)
        case UInt8(ascii: "f"): kind = try word("false", .bool(false), place)
        case UInt8(ascii: "n"): kind = try word("null", .null, place)
        default: kind = try number(place: place)
        }
        return JSONNode(kind: kind, position: start, place: place)
    }

    private mutating func word(_ text: String, _ kind: JSONNode.Kind, _ place: String) throws(Problem) -> JSONNode.Kind
    {
        for scalar in text.unicodeScalars where !skip(scalar) { throw problem(place, "this is no JSON value") }
        return kind
    }

    private mutating func number(place: String) throws(Problem) -> JSONNode.Kind {
        let start = index
        while let byte = current, "+-.eE0123456789".utf8.contains(byte) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let value = Double(text), value.isFinite, text.first != "+", text.first != "." else {
            index = start
            throw problem(place, "this is no JSON value")
        }
        return .number(value)
    }

    private mutating func object(place: String, depth: Int) throws(Problem) -> JSONNode.Kind {
        var members: [JSONNode.Member] = []
        index += 1
        skipSpace()
        if skip("}") { return .object(members) }
        while true {
            let start = position
            guard current == UInt8(ascii: "\"") else { throw problem(place, "a name in quotation marks is missing") }
            let name = try string(place: place)
            let inner = place.isEmpty ? name : "\(place).\(name)"
            skipSpace()
            guard skip(":") else { throw problem(inner, "a colon is missing after the name") }
            skipSpace()
            members.append(.init(name: name, value: try value(place: inner, depth: depth + 1), position: start))
            skipSpace()
            if skip("}") { return .object(members) }
            guard skip(",") else { throw problem(inner, "a comma or a closing brace is missing after it") }
            skipSpace()
        }
    }

    private mutating func array(place: String, depth: Int) throws(Problem) -> JSONNode.Kind {
        var elements: [JSONNode] = []
        index += 1
        skipSpace()
        if skip("]") { return .array(elements) }
        while true {
            let inner = "\(place)[\(elements.count)]"
            elements.append(try value(place: inner, depth: depth + 1))
            skipSpace()
            if skip("]") { return .array(elements) }
            guard skip(",") else { throw problem(inner, "a comma or a closing bracket is missing after it") }
            skipSpace()
        }
    }

    private mutating func string(place: String) throws(Problem) -> String {
        index += 1
        var text: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw problem(place, "the text is not valid UTF-8")
                }
                return string
            case UInt8(ascii: "\\"):
                index += 1
                try escape(place, into: &text)
            case 0..<0x20: throw problem(place, "the text has no closing quotation mark on its line")
            default:
                text.append(byte)
                index += 1
            }
        }
        throw problem(place, "")
    }

    private mutating func escape(_ place: String, into text: inout [UInt8]) throws(Problem) {
        guard let byte = current else { throw problem(place, "") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "u"): text += Array(String(try scalar(place)).utf8)
        default:
            index -= 1
            throw problem(place, "a backslash stands before a character that has no escape")
        }
    }

    /// What follows `\u`; half of a surrogate pair becomes U+FFFD.
    private mutating func scalar(_ place: String) throws(Problem) -> Character {
        let first = try hex(place)
        if first & 0xfc00 == 0xd800, bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            let before = index
            index += 2
            let second = try hex(place)
            if second & 0xfc00 == 0xdc00, let scalar = Unicode.Scalar(0x10000 + (first & 0x3ff) << 10 + second & 0x3ff)
            {
                return Character(scalar)
            }
            index = before
        }
        return Character(Unicode.Scalar(first) ?? "\u{fffd}")
    }

    private mutating func hex(_ place: String) throws(Problem) -> UInt32 {
        let digits = bytes[index...].prefix(4)
        let isHex = digits.allSatisfy { "0123456789abcdefABCDEF".utf8.contains($0) }
        guard digits.count == 4, isHex, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw problem(place, "four hexadecimal digits must follow \\u")
        }
        index += 4
        return value
    }
}
