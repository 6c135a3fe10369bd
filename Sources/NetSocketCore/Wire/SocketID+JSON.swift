/// The IDs of a client in a wire whose own IDs are strings in JSON. A reply repeats an ID with its type, so that a client
/// that sends numbers finds its request:
///
/// | JSON | ID |
/// |---|---|
/// | `"7"` | `.number(7)` |
/// | `"a-b"` | `.text("a-b")` |
/// | `7`, `-1`, `1.5` | `.text("7")`, `.text("-1")`, `.text("1.5")` |
/// | `"-1"`, `"\"a"` | `.text("\"-1\"")`: the JSON text, since its plain text is another ID |
extension JSONSlice {
    /// The value as an ID that a client has sent; nil for a value that isn't a string, a number or a Boolean.
    var clientID: SocketID? {
        guard let text = string else { return scalarText.map { .text($0) } }
        let id = SocketID(text)
        if case .text = id, text.isJSONNumber || text.utf8.first == UInt8(ascii: "\"") {
            var quoted = ""
            quoted.appendJSON(text)
            return .text(quoted)
        }
        return id
    }
}

extension String {
    /// Appends an ID as JSON.
    mutating func appendJSON(_ id: SocketID) {
        switch id {
        case .number(let number): appendJSON(String(number))
        case .text(let text):
            let isJSON = text.isJSONNumber || text.utf8.first == UInt8(ascii: "\"") && (try? JSONSlice(text)) != nil
            if isJSON { append(text) } else { appendJSON(text) }
        }
    }

    /// Appends a member of an object, with a comma unless it is the first.
    mutating func appendMember(_ name: String, _ id: SocketID) {
        appendName(name)
        appendJSON(id)
    }
}
