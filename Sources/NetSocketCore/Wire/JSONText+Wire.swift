extension String {
    /// Appends a text as a JSON string.
    mutating func appendJSON(_ text: String) {
        append("\"")
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            append(text)
        } else {
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": append("\\\"")
                case "\\": append("\\\\")
                case "\u{0}"..<" ":
                    let digits = String(scalar.value, radix: 16)
                    append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
                default: unicodeScalars.append(scalar)
                }
            }
        }
        append("\"")
    }

    /// Appends a member of an object, with a comma unless it is the first.
    mutating func appendMember(_ name: String, _ value: String) {
        appendName(name)
        appendJSON(value)
    }

    /// Appends the name of a member, with a comma unless it is the first.
    mutating func appendName(_ name: String) {
        append(utf8.last == UInt8(ascii: "{") ? "\"" : ",\"")
        append(name)
        append("\":")
    }
}
