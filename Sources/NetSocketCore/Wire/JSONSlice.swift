internal import NetCore

/// A JSON value in a message that isn't decoded: a wire reads the few members that it needs, and payloads stay text.
///
/// Only strings and brackets are followed, which finds the end of every value of a valid text. An error inside a value is
/// found when the value is decoded.
struct JSONSlice: Sendable {
    /// Why a text has no slices.
    enum Problem: Error {
        case malformed, tooDeep

        var text: String {
            switch self {
            case .malformed: "this is no JSON"
            case .tooDeep: "its JSON nests more than \(JSONCoding.maximumDepth) levels deep"
            }
        }
    }

    let text: String
    let range: Range<Int>
    /// The first byte, which tells the kind.
    let first: UInt8

    private init(_ text: String, _ range: Range<Int>, _ first: UInt8) {
        self.text = text
        self.range = range
        self.first = first
    }

    /// Takes a whole message.
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

    /// The value as a payload, `null` included.
    var payload: SocketPayload { SocketPayload(text, range) }

    /// The string; nil for another kind, and for one that isn't valid.
    var string: String? {
        guard first == UInt8(ascii: "\"") else { return nil }
        var text = text
        let plain = text.withUTF8 { bytes -> String? in
            let inner = bytes[range.lowerBound + 1..<range.upperBound - 1]
            return inner.contains(UInt8(ascii: "\\")) ? nil : String(decoding: inner, as: UTF8.self)
        }
        return plain ?? (try? payload.decoded(as: String.self))
    }

    /// The number; nil for another kind, and for one that isn't a whole number of 64 bits.
    var integer: UInt64? { scalarText.flatMap { UInt64($0) } }

    /// The text of a number or a word; nil for another kind.
    var scalarText: String? {
        isObject || isArray || first == UInt8(ascii: "\"") ? nil : payload.json
    }

    /// True or false; nil for another kind.
    var bool: Bool? {
        switch scalarText {
        case "true": true
        case "false": false
        default: nil
        }
    }

    /// An ID: text, or a number, whose text is kept as it is.
    var id: SocketID? { (string ?? scalarText).map { SocketID($0) } }

    /// The members of an object in their order; none for another kind. Names that repeat are all there.
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

    /// The elements of an array; none for another kind.
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

/// A place in a JSON text.
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

    /// Passes a byte and the blank before it, if it comes next.
    mutating func skips(_ byte: UInt8) -> Bool {
        skipBlank()
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    mutating func take(_ byte: UInt8) throws(JSONSlice.Problem) {
        guard skips(byte) else { throw .malformed }
    }

    /// Passes a value; returns its place.
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
