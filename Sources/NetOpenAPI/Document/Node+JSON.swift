extension Node {
    /// The node as JSON text: a number, a Boolean or `null` as written, any other scalar as a string.
    var jsonText: String {
        switch value {
        case .array(let elements): return "[\(elements.map(\.jsonText).joined(separator: ","))]"
        case .object(let members):
            return "{\(members.map { "\(Self.quoted($0.key)):\($0.value.jsonText)" }.joined(separator: ","))}"
        case .scalar(let text, let isQuoted):
            if isQuoted { return Self.quoted(text) }
            if isNull { return "null" }
            if let bool { return bool ? "true" : "false" }
            return Self.isNumber(text) ? text : Self.quoted(text)
        }
    }

    /// True for a number in the grammar of JSON (RFC 8259 section 6).
    private static func isNumber(_ text: String) -> Bool {
        text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) != nil
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
