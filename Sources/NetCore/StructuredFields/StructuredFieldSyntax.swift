/// The allowed bytes of keys and tokens in a structured field (RFC 9651 sections 3.1.2 and 3.3.4).
enum StructuredFieldSyntax {
    static func beginsKey(_ byte: UInt8) -> Bool { isSmallLetter(byte) || byte == UInt8(ascii: "*") }

    static func isInKey(_ byte: UInt8) -> Bool {
        isSmallLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "*")
    }

    static func isKey(_ text: String) -> Bool {
        text.utf8.first.map(beginsKey) == true && text.utf8.allSatisfy(isInKey)
    }

    static func beginsToken(_ byte: UInt8) -> Bool {
        isSmallLetter(byte) || isSmallLetter(byte | 0x20) && byte & 0x20 == 0 || byte == UInt8(ascii: "*")
    }

    static func isInToken(_ byte: UInt8) -> Bool {
        FieldValueReader.isTokenByte(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/")
    }

    static func isToken(_ text: String) -> Bool {
        text.utf8.first.map(beginsToken) == true && text.utf8.allSatisfy(isInToken)
    }

    private static func isSmallLetter(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
