/// A parser of the parts of field values: tokens, quoted strings, parameters (RFC 9110 section 5.6).
package struct FieldValueReader {
    /// The maximum number of parameters, more than any field has; those after it are skipped.
    static let maximumParameters = 256

    private let bytes: [UInt8]
    private var index = 0
    /// True if a search for the end of a link's target has failed; a later one would fail too.
    private var hasNoAngleEnd = false

    package init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        skipBlanks()
    }

    package var isAtEnd: Bool { index == bytes.count }

    package mutating func skipBlanks() {
        while index < bytes.count, bytes[index] == 32 || bytes[index] == 9 { index += 1 }
    }

    /// Skips one character; returns false if the next one is different.
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
        index += 1
        return true
    }

    /// Reads a token; nil if there is none.
    package mutating func token() -> String? {
        let start = index
        while index < bytes.count, Self.isTokenByte(bytes[index]) { index += 1 }
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    /// Reads a quoted string, without its quotes and escapes; nil if there is none, if it has no end, or if it contains
    /// a control character (RFC 9110 section 5.6.4), since a line end would begin another field.
    ///
    /// - Parameter keepsBackslashes: True if a backslash escapes only a quotation mark.
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

    /// Reads any number of `; name=value`, including empty ones; nil if one is malformed. Stops at a comma.
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
            // Each one is compared with those before it, so their number is limited.
            guard parameters.count < Self.maximumParameters, !parameters.contains(where: { $0.name == name }) else {
                continue
            }
            parameters.append(.init(name: name, value: value))
        }
    }

    /// Reads parameters as browsers do, where a strict parser finds none: a value without quotes ends at the semicolon,
    /// a quoted one without an end at the end of the text, and anything that isn't a parameter is skipped. Nil if a
    /// character other than a semicolon comes first, or if a value contains a control character.
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
                // A failed search reached the end of the text, so there is no closing quote.
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

    /// True at the end of a list's element: at a comma, or at the end of the text.
    package var isAtElementEnd: Bool { index == bytes.count || bytes[index] == UInt8(ascii: ",") }

    /// Skips to the comma that ends a list's element; commas within quotes don't count.
    package mutating func skipElement() {
        var (isQuoted, isEscaped) = (false, false)
        while index < bytes.count, isQuoted || bytes[index] != UInt8(ascii: ",") {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
            index += 1
        }
    }

    /// Reads the text between `<` and `>`; nil if there is none, or if it has no end.
    mutating func angled() -> String? {
        guard !hasNoAngleEnd, skip("<") else { return nil }
        guard let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) else {
            hasNoAngleEnd = true
            return nil
        }
        defer { index = end + 1 }
        return String(decoding: bytes[index..<end], as: UTF8.self)
    }

    /// Reads a value without quotes, of any characters; it ends at a blank, a semicolon or a comma.
    mutating func bareValue() -> String {
        let start = index
        while index < bytes.count, !" \t;,".utf8.contains(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Reads the text before one of these characters, or the rest, without blanks around it.
    mutating func text(before ends: String) -> String {
        skipBlanks()
        let start = index
        while index < bytes.count, !ends.utf8.contains(bytes[index]) { index += 1 }
        var text = bytes[start..<index]
        while let last = text.last, last == 32 || last == 9 { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads base64 or similar that fills the rest of a list's element (RFC 9110 section 11.2); nil if there is none.
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

    /// Returns true if a quoted string can contain the text: no control character except a tab.
    package static func canQuote(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 }
    }

    /// Returns the text itself if it's a token, else a quoted string.
    static func quoted(_ text: String) -> String {
        isToken(text) ? text : inQuotes(text)
    }

    /// Returns a quoted string.
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
