/// An ID of JSON-RPC is a string, a number or `null`, and a response repeats it with its type. ``SocketID``
/// distinguishes them without remembering the peer's messages:
///
/// | JSON | ID |
/// |---|---|
/// | `7` | `.number(7)` |
/// | `-1`, `1.5`, `null` | `.text("-1")`, `.text("1.5")`, `.text("null")` |
/// | `"a-b"` | `.text("a-b")` |
/// | `"7"`, `"null"` | `.text("\"7\"")`, `.text("\"null\"")`: the JSON text, since its plain text is another ID |
extension SocketID {
    /// Reads an ID. nil for a value that can't be one.
    init?(jsonRPC value: JSONSlice) {
        if let text = value.string {
            self = Self.isPlain(text) ? .text(text) : .text(Self.quoted(text))
        } else if let text = value.scalarText, text == "null" || text.isJSONNumber {
            self.init(text)
        } else {
            return nil
        }
    }

    /// The ID as JSON.
    var jsonRPC: String {
        switch self {
        case .number(let number): String(number)
        case .text(let text): Self.isPlain(text) || !Self.isJSON(text) ? Self.quoted(text) : text
        }
    }

    /// Returns true if a string can be used unchanged, because it can't be mistaken for the JSON text of another ID.
    private static func isPlain(_ text: String) -> Bool {
        text != "null" && !text.isJSONNumber && text.utf8.first != UInt8(ascii: "\"")
    }

    private static func isJSON(_ text: String) -> Bool {
        text == "null" || text.isJSONNumber || (try? JSONSlice(text))?.string != nil
    }

    private static func quoted(_ text: String) -> String {
        var quoted = ""
        quoted.appendJSON(text)
        return quoted
    }
}

extension String {
    /// True if the text is a number in JSON (RFC 8259 section 6).
    var isJSONNumber: Bool {
        var rest = utf8[...]
        func skipDigits() -> Bool {
            let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(count)
            return count > 0
        }
        func skip(_ first: Unicode.Scalar, or second: Unicode.Scalar? = nil) -> Bool {
            guard let byte = rest.first, byte == UInt8(ascii: first) || second.map({ byte == UInt8(ascii: $0) }) == true
            else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = skip("-")
        guard skip("0") || skipDigits() else { return false }
        if skip("."), !skipDigits() { return false }
        if skip("e", or: "E") {
            _ = skip("+", or: "-")
            if !skipDigits() { return false }
        }
        return rest.isEmpty
    }
}
