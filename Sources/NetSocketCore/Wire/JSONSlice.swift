internal import NetCore

/// A JSON value in a message that isn't decoded as a whole: a wire reads the few members that it needs, and payloads
/// stay text.
///
/// Only strings and brackets are tracked, which finds the end of every value of a valid text. An error inside a value
/// is detected when the value is decoded.
struct JSONSlice: Sendable {
    /// The reason a text can't be sliced.
    enum Problem: Error {
        case malformed, tooDeep

        var text: String {
            switch self {
            case .malformed: "it isn't valid JSON"
            case .tooDeep: "its JSON nests more than \(JSONCoding.maximumDepth) levels deep"
            }
        }
    }

    let text: String
    let range: Range<Int>
    /// The first byte, which determines the kind of the value.
    let first: UInt8

    private init(_ text: String, _ range: Range<Int>, _ first: UInt8) {
        self.text = text
        self.range = range
        self.first = first
    }

    /// Parses a whole message.
    init(_ message: String) throws(Problem) {
        var text = message
        let found = text.withUTF8 { bytes -> Result<(Range<Int>, UInt8), Problem> in
            Result { () throws(Problem) in
                var cursor = JSONCursor(bytes: bytes)
                let range = try cursor.value()
                cursor.skipBlank()
                guard cursor.index == bytes.count else { throw .malformed }
                return (range, bytes[range.lowerBound])
            }
        }
        let (range, first) = try found.get()
        self.init(text, range, first)
    }

    var isObject: Bool { first == UInt8(ascii: "{") }
    var isArray: Bool { first == UInt8(ascii: "[") }
    var isNull: Bool { first == UInt8(ascii: "n") }

    /// The value as a payload, including `null`.
    var payload: SocketPayload { SocketPayload(text, range) }

    /// The string; nil for another kind, and for an invalid string.
    var string: String? {
        guard first == UInt8(ascii: "\"") else { return nil }
        var text = text
        let plain = text.withUTF8 { bytes -> String? in
            let inner = bytes[range.lowerBound + 1..<range.upperBound - 1]
            return inner.contains(UInt8(ascii: "\\")) ? nil : String(decoding: inner, as: UTF8.self)
        }
        return plain ?? (try? payload.decoded(as: String.self))
    }

    /// The number; nil for another kind, and for a number that isn't an unsigned 64-bit integer.
    var integer: UInt64? { scalarText.flatMap { UInt64($0) } }

    /// The text of a number, `true`, `false` or `null`; nil for another kind.
    var scalarText: String? {
        isObject || isArray || first == UInt8(ascii: "\"") ? nil : payload.json
    }

    /// The Boolean value; nil for another kind.
    var bool: Bool? {
        switch scalarText {
        case "true": true
        case "false": false
        default: nil
        }
    }

    /// The value as an ID: a string, or a number, whose text is kept unchanged.
    var id: SocketID? { (string ?? scalarText).map { SocketID($0) } }

    /// Returns the members of an object in order, including repeated names; empty for another kind.
    func members() throws(Problem) -> [(name: String, value: JSONSlice)] {
        guard isObject else { return [] }
        var members: [(name: String, value: JSONSlice)] = []
        try visit(with: UInt8(ascii: "}")) { cursor, bytes throws(Problem) in
            let name = try cursor.value()
            guard bytes[name.lowerBound] == UInt8(ascii: "\"") else { throw .malformed }
            try cursor.take(UInt8(ascii: ":"))
            let value = try cursor.value()
            guard let text = JSONSlice(text, name, UInt8(ascii: "\"")).string else { throw .malformed }
            members.append((text, JSONSlice(self.text, value, bytes[value.lowerBound])))
        }
        return members
    }

    /// Returns the elements of an array; empty for another kind.
    func elements() throws(Problem) -> [JSONSlice] {
        guard isArray else { return [] }
        var elements: [JSONSlice] = []
        try visit(with: UInt8(ascii: "]")) { cursor, bytes throws(Problem) in
            let value = try cursor.value()
            elements.append(JSONSlice(text, value, bytes[value.lowerBound]))
        }
        return elements
    }

    /// Calls `body` at each member or element.
    private func visit(
        with end: UInt8, _ body: (inout JSONCursor, UnsafeBufferPointer<UInt8>) throws(Problem) -> Void
    ) throws(Problem) {
        var text = text
        let result = text.withUTF8 { bytes -> Result<Void, Problem> in
            Result { () throws(Problem) in
                var cursor = JSONCursor(bytes: bytes, index: range.lowerBound + 1)
                if cursor.skips(end) { return }
                repeat { try body(&cursor, bytes) } while cursor.skips(UInt8(ascii: ","))
                try cursor.take(end)
            }
        }
        try result.get()
    }
}

/// A position in a JSON text.
private struct JSONCursor {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    mutating func skipBlank() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0a, 0x0d, 0x09: index += 1
            default: return
            }
        }
    }

    /// Skips whitespace, and then the byte if it comes next. Returns false if it doesn't.
    mutating func skips(_ byte: UInt8) -> Bool {
        skipBlank()
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    mutating func take(_ byte: UInt8) throws(JSONSlice.Problem) {
        guard skips(byte) else { throw .malformed }
    }

    /// Skips a value and returns its range.
    mutating func value() throws(JSONSlice.Problem) -> Range<Int> {
        skipBlank()
        guard index < bytes.count else { throw .malformed }
        let start = index
        switch bytes[index] {
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "{"), UInt8(ascii: "["): try container()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
            UInt8(ascii: "n"):
            while index < bytes.count, Self.isScalar(bytes[index]) { index += 1 }
        default: throw .malformed
        }
        return start..<index
    }

    private mutating func string() throws(JSONSlice.Problem) {
        index += 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        throw .malformed
    }

    private mutating func container() throws(JSONSlice.Problem) {
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                try string()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth > JSONCoding.maximumDepth { throw .tooDeep }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 {
                    index += 1
                    return
                }
            default: break
            }
            index += 1
        }
        throw .malformed
    }

    private static func isScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
