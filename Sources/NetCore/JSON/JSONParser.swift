/// Checks a JSON text (RFC 8259) and lists its values.
///
/// Strict, in one pass, without recursion. Only the form of escapes is checked; the characters of a string are
/// checked when the string is read.
struct JSONParser {
    /// A container that isn't closed yet.
    private struct Frame {
        let entry: Int
        let isObject: Bool
        var count: UInt32 = 0
        /// The entry of the name whose value is being read.
        var name: Int?
    }

    let input: UnsafeBufferPointer<UInt8>
    var index = 0
    var entries: [JSONEntry] = []
    private var open: [Frame] = []

    private init(_ input: UnsafeBufferPointer<UInt8>) {
        self.input = input
        entries.reserveCapacity(min(input.count / 8, 1 << 16) + 4)
    }

    static func parse(_ input: UnsafeBufferPointer<UInt8>) throws(UnreadableJSON) -> [JSONEntry] {
        var parser = JSONParser(input)
        parser.skipBlank()
        try parser.document()
        guard parser.index == input.count else { throw parser.problem("unexpected text after the end of the document") }
        return parser.entries
    }

    /// Reads one value and the whitespace after it.
    private mutating func document() throws(UnreadableJSON) {
        repeat {
            switch current {
            case UInt8(ascii: "{"):
                try begin(.object)
                if !skip("}") {
                    try name()
                    continue
                }
                end()
            case UInt8(ascii: "["):
                try begin(.array)
                if !skip("]") { continue }
                end()
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: "t"): try word("true", .true)
            case UInt8(ascii: "f"): try word("false", .false)
            case UInt8(ascii: "n"): try word("null", .null)
            default: try number()
            }
            try leave()
        } while !open.isEmpty
    }

    private mutating func begin(_ kind: JSONEntry.Kind) throws(UnreadableJSON) {
        guard open.count < JSONCoding.maximumDepth else { throw .tooDeep(at: index, place: place) }
        open.append(Frame(entry: entries.count, isObject: kind == .object))
        entries.append(JSONEntry(offset: UInt32(index), extent: 0, kind: kind))
        index += 1
        skipBlank()
    }

    private mutating func end() {
        guard let frame = open.popLast() else { return }
        entries[frame.entry].extent = UInt32(entries.count)
        entries[frame.entry].count = frame.count
    }

    /// After a value: closes the containers that end with it, up to the comma before the next value.
    private mutating func leave() throws(UnreadableJSON) {
        while true {
            skipBlank()
            let top = open.count - 1
            guard top >= 0 else { return }
            if skip(",") {
                open[top].count += 1
                skipBlank()
                if open[top].isObject { try name() }
                return
            }
            guard skip(open[top].isObject ? "}" : "]") else {
                throw problem(
                    open[top].isObject
                        ? "a comma or a closing brace is missing after it"
                        : "a comma or a closing bracket is missing after it")
            }
            open[top].count += 1
            end()
        }
    }

    /// Reads the name of a member and the colon after it.
    private mutating func name() throws(UnreadableJSON) {
        let top = open.count - 1
        open[top].name = nil
        guard current == UInt8(ascii: "\"") else { throw problem("a name in quotation marks is missing") }
        try string()
        open[top].name = entries.count - 1
        skipBlank()
        guard skip(":") else { throw problem("a colon is missing after the name") }
        skipBlank()
    }

    private mutating func word(_ text: StaticString, _ kind: JSONEntry.Kind) throws(UnreadableJSON) {
        let start = index
        for byte in UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount) {
            guard current == byte else { throw noValue }
            index += 1
        }
        entries.append(JSONEntry(offset: UInt32(start), extent: UInt32(index - start), kind: kind))
    }
}

extension JSONParser {
    var current: UInt8? { index < input.count ? input[index] : nil }

    mutating func skipBlank() {
        while index < input.count {
            switch input[index] {
            case 0x20, 0x0a, 0x0d, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    var noValue: UnreadableJSON { problem("this isn't a valid JSON value") }

    func problem(_ text: String) -> UnreadableJSON {
        UnreadableJSON(
            .malformed, index < input.count ? text : "the text ends unexpectedly", at: index, place: place)
    }

    /// The path to the value being read.
    private var place: String {
        open.reduce(into: "") { place, frame in
            guard frame.isObject else {
                place += "[\(frame.count)]"
                return
            }
            guard let name = frame.name else { return }
            let entry = entries[name]
            let bytes = UnsafeBufferPointer(rebasing: input[Int(entry.offset)..<Int(entry.offset + entry.extent)])
            let text = JSONText.unescaped(bytes, hasEscapes: entry.hasEscapes, replacesLoneSurrogates: true)
            place += (place.isEmpty ? "" : ".") + (text ?? "?")
        }
    }
}
