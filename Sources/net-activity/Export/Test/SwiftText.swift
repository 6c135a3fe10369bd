#if Tools
internal import NetCore

/// Writes foreign text into Swift source.
enum SwiftText {
    /// Returns a string literal on one line. Escapes everything but letters, digits and printable ASCII.
    static func literal(_ text: some StringProtocol) -> String {
        let isRaw = text.unicodeScalars.contains { $0 == "\"" || $0 == "\\" } && text.unicodeScalars.allSatisfy(isShown)
        // Uses a raw literal if that avoids escapes, as in JSON.
        if isRaw, !text.contains("\"#"), !text.contains("\\#") { return "#\"\(text)\"#" }
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where isShown(scalar): literal.unicodeScalars.append(scalar)
            default: literal += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return literal + "\""
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        " "..."~" ~= scalar || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Returns a name for a function or type: the letters and digits of the text in camel case. Never empty.
    static func name(_ text: some StringProtocol, isType: Bool) -> String {
        var name = ""
        for word in text.split(whereSeparator: { !($0.isASCII && ($0.isLetter || $0.isNumber)) }) {
            if name.isEmpty, !isType {
                // `GET` becomes `get`, and `GetBook` becomes `getBook`.
                name = word == word.uppercased() ? word.lowercased() : word.prefix(1).lowercased() + word.dropFirst()
            } else {
                name += word.prefix(1).uppercased() + word.dropFirst()
            }
        }
        if name.isEmpty { return isType ? "Calls" : "call" }
        return name.first?.isNumber == true ? (isType ? "Calls" : "call") + name : name
    }

    /// Returns at most 90 characters of a text for a comment: without line breaks and characters that change the text
    /// direction.
    static func comment(_ text: String) -> String {
        let clean = TerminalText.clean(text)
        return clean.count > 90 ? clean.prefix(89) + "…" : clean
    }
}
#endif
