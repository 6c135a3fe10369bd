/// Swift literals for values.
enum SwiftLiteral {
    /// Returns a string literal; everything except printable ASCII and letters is escaped.
    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                let isPlain = (32..<127).contains(scalar.value) || scalar.properties.isAlphabetic
                if isPlain {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                }
            }
        }
        return result + "\""
    }

    /// Returns an array literal of strings.
    static func strings(_ texts: [String]) -> String {
        "[\(texts.map(string).joined(separator: ", "))]"
    }
}
