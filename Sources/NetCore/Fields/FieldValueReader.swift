/// Reads the parts that field values are made of (RFC 9110 section 5.6): tokens, quoted strings, parameters.
struct FieldValueReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        skipBlanks()
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func skipBlanks() {
        while index < bytes.count, bytes[index] == 32 || bytes[index] == 9 { index += 1 }
    }

    /// Takes one character; false where another stands there.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
        index += 1
        return true
    }

    /// A token; nil where none stands.
    mutating func token() -> String? {
        let start = index
        while index < bytes.count, Self.isTokenByte(bytes[index]) { index += 1 }
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    /// A quoted string without its quotes and escapes; nil where none stands, or it has no end.
    ///
    /// - Parameter keepsBackslashes: Whether a backslash escapes nothing but a quotation mark.
    mutating func quotedString(keepingBackslashes keepsBackslashes: Bool = false) -> String? {
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
            value.append(byte)
        }
        return nil
    }

    /// `; name=value` as often as it comes, empty ones too; nil where one is malformed. Stops at a comma.
    mutating func parameters(keepingBackslashes: Bool = false) -> [MediaType.Parameter]? {
        var parameters: [MediaType.Parameter] = []
        while true {
            skipBlanks()
            guard skip(";") else { return parameters }
            skipBlanks()
            guard let name = token()?.lowercased() else { continue }
            guard skip("="), let value = quotedString(keepingBackslashes: keepingBackslashes) ?? token() else {
                return nil
            }
            if !parameters.contains(where: { $0.name == name }) { parameters.append(.init(name: name, value: value)) }
        }
    }

    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    /// Whether a quoted string can hold it: no control character but a tab.
    static func canQuote(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 }
    }

    /// The text itself where it is a token, else a quoted string.
    static func quoted(_ text: String) -> String {
        if isToken(text) { return text }
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
