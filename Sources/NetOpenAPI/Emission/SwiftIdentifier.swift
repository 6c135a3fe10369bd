/// Creates Swift identifiers from a document's names.
enum SwiftIdentifier {
    /// Returns a name in lower camel case: `pet-id`, `PetId` and `pet_id` become `petID`.
    static func lowerCamel(_ text: String) -> String {
        let words = words(text)
        guard let first = words.first else { return fallback(text, "value") }
        return finished(joined([first.lowercased()] + words.dropFirst().map(capitalized)), digits: "value")
    }

    /// Returns a name in upper camel case: `pet-id` becomes `PetID`.
    static func upperCamel(_ text: String) -> String {
        let words = words(text)
        guard !words.isEmpty else { return capitalized(fallback(text, "Model")) }
        return finished(joined(words.map(capitalized)), digits: "Model")
    }

    /// Returns the name of a case for an enumeration's value: `-1` becomes `minus1`, an empty text becomes `empty`.
    static func caseName(_ text: String) -> String {
        if text.isEmpty { return "empty" }
        if text.hasPrefix("-"), text.count > 1 { return lowerCamel("minus " + text.dropFirst()) }
        if text.hasPrefix("+"), text.count > 1 { return lowerCamel("plus " + text.dropFirst()) }
        return lowerCamel(text)
    }

    /// Returns the name, in backticks if it is a keyword.
    static func quoted(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    /// Returns the name as an argument label, where only a few keywords need backticks.
    static func label(_ name: String) -> String {
        ["inout", "var", "let"].contains(name) ? "`\(name)`" : name
    }

    private static func joined(_ words: [String]) -> String {
        var text = ""
        for word in words {
            if let last = text.last, last.isNumber, word.first?.isNumber == true { text += "_" }
            text += word
        }
        return text
    }

    private static func finished(_ name: String, digits prefix: String) -> String {
        guard let first = name.unicodeScalars.first, !first.properties.isXIDStart, first != "_" else { return name }
        return prefix + name
    }

    /// Returns a name for text without a letter or digit.
    private static func fallback(_ text: String, _ base: String) -> String {
        let named = text.unicodeScalars.map { symbols[$0] ?? "u\(String($0.value, radix: 16, uppercase: true))" }
        guard !named.isEmpty else { return base }
        return joined([named[0].lowercasedFirst] + named.dropFirst().map(capitalized))
    }

    private static func capitalized(_ word: String) -> String {
        let lower = word.lowercased()
        if acronyms.contains(lower) { return lower.uppercased() }
        if lower.hasSuffix("s"), acronyms.contains(String(lower.dropLast())) {
            return lower.dropLast().uppercased() + "s"
        }
        guard let first = word.first else { return word }
        return first.uppercased() + word.dropFirst()
    }
}

extension SwiftIdentifier {
    private enum Kind { case upper, lower, digit, separator }

    private static func kind(_ character: Character) -> Kind {
        guard character.unicodeScalars.allSatisfy(\.properties.isXIDContinue), character != "_" else {
            return .separator
        }
        if character.isNumber { return .digit }
        return character.isUppercase ? .upper : .lower
    }

    /// Splits a name into words at symbols and changes of case; `HTTPServer` is two words.
    static func words(_ text: String) -> [String] {
        let characters = Array(text)
        let hasLower = characters.contains { $0.isLowercase }
        var words: [String] = []
        var word = ""
        for (place, character) in characters.enumerated() {
            let kind = kind(character)
            if kind == .separator || startsWord(at: place, characters, hasLower) {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if kind != .separator { word.append(character) }
        }
        if !word.isEmpty { words.append(word) }
        return words.map { hasLower && $0.count > 1 && $0.allSatisfy { !$0.isLowercase } ? $0 : lowered($0) }
    }

    /// Returns a word in lowercase. An acronym such as `IDs` keeps its capitals if the text also contains lowercase
    /// letters.
    private static func lowered(_ word: String) -> String {
        let body = word.hasSuffix("s") ? word.dropLast() : Substring(word)
        if word.hasSuffix("s"), body.count > 1, body.allSatisfy(\.isUppercase) { return word }
        return word.lowercased()
    }

    private static func startsWord(at place: Int, _ characters: [Character], _ hasLower: Bool) -> Bool {
        guard place > 0, kind(characters[place]) == .upper, hasLower else { return false }
        switch kind(characters[place - 1]) {
        case .lower, .digit: return true
        case .separator: return false
        case .upper:
            guard place + 1 < characters.count, kind(characters[place + 1]) == .lower else { return false }
            // `IDs` stays whole.
            let isPlural =
                characters[place + 1] == "s"
                && (place + 2 >= characters.count || kind(characters[place + 2]) != .lower)
            return !isPlural
        }
    }

    private static let symbols: [Unicode.Scalar: String] = [
        "+": "plus", "-": "minus", "*": "asterisk", "/": "slash", "=": "equal", "<": "lessThan", ">": "greaterThan",
        "!": "not", "~": "tilde", "&": "and", "|": "or", "%": "percent", "$": "dollar", "#": "number", "@": "at",
        ".": "dot", ",": "comma", ":": "colon", ";": "semicolon", "?": "question", "_": "underscore", " ": "space",
        "(": "open", ")": "close", "[": "openBracket", "]": "closeBracket", "^": "caret", "\\": "backslash",
    ]

    private static let acronyms: Set<String> = [
        "id", "url", "uri", "uuid", "guid", "api", "http", "https", "json", "xml", "html", "css", "ip", "dns", "tls",
        "ssl",
        "sql", "jwt", "sso", "sdk", "cpu", "ram", "ttl", "pdf", "csv", "qr", "sms", "mfa", "otp",
    ]

    static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
        "internal", "let", "open", "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static",
        "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do",
        "else",
        "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw", "where", "while", "any", "as",
        "await", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try", "Any", "Type", "Protocol",
    ]
}

extension String {
    fileprivate var lowercasedFirst: String {
        guard let first else { return self }
        return first.lowercased() + dropFirst()
    }
}
