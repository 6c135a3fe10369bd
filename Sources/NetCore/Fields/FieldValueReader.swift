/// Reads the parts that field values are made of (RFC 9110 section 5.6): tokens, quoted strings, parameters.
package struct FieldValueReader {
    /// More than any field has; those that follow are passed over.
    static let maximumParameters = 256

    private let bytes: [UInt8]
    private var index = 0
    /// Where a search for the end of a link's target found none: neither does one from a later place.
    private var hasNoAngleEnd = false

    package init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        skipBlanks()
    }

    package var isAtEnd: Bool { index == bytes.count }

    package mutating func skipBlanks() {
        while index < bytes.count, bytes[index] == 32 || bytes[index] == 9 { index += 1 }
    }

    /// Takes one character; false where another stands there.
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
        index += 1
        return true
    }

    /// A token; nil where none stands.
    package mutating func token() -> String? {
        let start = index
        while index < bytes.count, Self.isTokenByte(bytes[index]) { index += 1 }
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    /// A quoted string without its quotes and escapes; nil where none stands, it has no end, or it holds a control character
    /// (RFC 9110 section 5.6.4): a line end would begin another field.
    ///
    /// - Parameter keepsBackslashes: Whether a backslash escapes nothing but a quotation mark.
    package mutating func quotedString(keepingBackslashes keepsBackslashes: Bool = false) -> String? {
        guard skip("\"") else { return nil }
        var value: [UInt8] = []
        while index < bytes.count {
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), index < bytes.count,
                !keepsBackslashes || bytes[index] == UInt8(ascii: "\"")
            {
                byte = bytes[index]
                index += 1
            }
            guard byte >= 32 && byte != 127 || byte == 9 else { return nil }
            value.append(byte)
        }
        return nil
    }

    /// `; name=value` as often as it comes, empty ones too; nil where one is malformed. Stops at a comma.
    package mutating func parameters(keepingBackslashes: Bool = false) -> [MediaType.Parameter]? {
        var parameters: [MediaType.Parameter] = []
        while true {
            skipBlanks()
            guard skip(";") else { return parameters }
            skipBlanks()
            guard let name = token()?.lowercased() else { continue }
            guard skip("="), let value = quotedString(keepingBackslashes: keepingBackslashes) ?? token() else {
                return nil
            }
            // Each is compared with those before it.
            guard parameters.count < Self.maximumParameters, !parameters.contains(where: { $0.name == name }) else {
                continue
            }
            parameters.append(.init(name: name, value: value))
        }
    }

    /// The same as browsers read them where a strict reader finds nothing: a value without quotes goes on to the semicolon, one
    /// in quotes without an end to the end of the text, and what is no parameter is passed over. nil where another character
    /// than a semicolon comes first, or a value holds a control character.
    mutating func receivedParameters() -> [MediaType.Parameter]? {
        var parameters: [MediaType.Parameter] = []
        skipBlanks()
        while skip(";") {
            skipBlanks()
            let name = token()?.lowercased()
            skipBlanks()
            guard let name, skip("=") else {
                _ = text(before: ";")
                continue
            }
            skipBlanks()
            let value: String
            if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
                let start = index + 1
                // A search without success went to the end: there is none after it.
                value = quotedString(keepingBackslashes: true) ?? String(decoding: bytes[start...], as: UTF8.self)
                _ = text(before: ";")
            } else {
                value = text(before: ";")
            }
            guard Self.canQuote(value) else { return nil }
            guard !value.isEmpty, parameters.count < Self.maximumParameters,
                !parameters.contains(where: { $0.name == name })
            else { continue }
            parameters.append(.init(name: name, value: value))
        }
        return isAtEnd ? parameters : nil
    }

    /// Whether a list's member ends here: at a comma, or with the text.
    package var isAtElementEnd: Bool { index == bytes.count || bytes[index] == UInt8(ascii: ",") }

    /// Goes on to the comma that ends a list's member; one within quotes does not.
    package mutating func skipElement() {
        var (isQuoted, isEscaped) = (false, false)
        while index < bytes.count, isQuoted || bytes[index] != UInt8(ascii: ",") {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
            index += 1
        }
    }

    /// What stands between `<` and `>`; nil where nothing does, or it has no end.
    mutating func angled() -> String? {
        guard !hasNoAngleEnd, skip("<") else { return nil }
        guard let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) else {
            hasNoAngleEnd = true
            return nil
        }
        defer { index = end + 1 }
        return String(decoding: bytes[index..<end], as: UTF8.self)
    }

    /// A value without quotes, however odd: it ends at a blank, a semicolon or a comma.
    mutating func bareValue() -> String {
        let start = index
        while index < bytes.count, !" \t;,".utf8.contains(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// What stands before one of these characters, or all that is left, without blanks around it.
    mutating func text(before ends: String) -> String {
        skipBlanks()
        let start = index
        while index < bytes.count, !ends.utf8.contains(bytes[index]) { index += 1 }
        var text = bytes[start..<index]
        while let last = text.last, last == 32 || last == 9 { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }

    /// Base64 or something like it that fills the rest of a list's member (RFC 9110 section 11.2); nil where none does.
    package mutating func token68() -> String? {
        let start = index
        while index < bytes.count, Self.isToken68Byte(bytes[index]) { index += 1 }
        let end = index
        while index < bytes.count, bytes[index] == UInt8(ascii: "=") { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        skipBlanks()
        return end > start && isAtElementEnd ? text : nil
    }

    private static func isToken68Byte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/".utf8.contains(byte)
        }
    }

    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    /// Whether a quoted string can hold it: no control character but a tab.
    package static func canQuote(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 }
    }

    /// The text itself where it is a token, else a quoted string.
    static func quoted(_ text: String) -> String {
        isToken(text) ? text : inQuotes(text)
    }

    /// A quoted string.
    package static func inQuotes(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
