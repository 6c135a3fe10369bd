/// Writes a structured field (RFC 9651 section 4.1).
struct StructuredFieldWriter {
    private(set) var text = ""
    private static let largest: Int64 = 999_999_999_999_999

    /// Writes a whole field.
    static func write(
        _ body: (inout StructuredFieldWriter) throws(StructuredFieldError) -> Void
    ) throws(StructuredFieldError) -> String {
        var writer = StructuredFieldWriter()
        try body(&writer)
        return writer.text
    }

    mutating func append(_ list: StructuredField.List) throws(StructuredFieldError) {
        for (index, member) in list.members.enumerated() {
            if index > 0 { text += ", " }
            try append(member)
        }
    }

    mutating func append(_ dictionary: StructuredField.Dictionary) throws(StructuredFieldError) {
        for (index, entry) in dictionary.enumerated() {
            if index > 0 { text += ", " }
            try append(key: entry.key)
            if case .item(let item) = entry.value, item.value == .boolean(true) {
                try append(item.parameters)
            } else {
                text += "="
                try append(entry.value)
            }
        }
    }

    private mutating func append(_ member: StructuredField.Member) throws(StructuredFieldError) {
        switch member {
        case .item(let item): try append(item)
        case .innerList(let list):
            text += "("
            for (index, item) in list.items.enumerated() {
                if index > 0 { text += " " }
                try append(item)
            }
            text += ")"
            try append(list.parameters)
        }
    }

    mutating func append(_ item: StructuredField.Item) throws(StructuredFieldError) {
        try append(item.value)
        try append(item.parameters)
    }

    private mutating func append(_ parameters: StructuredField.Parameters) throws(StructuredFieldError) {
        for (key, value) in parameters {
            text += ";"
            try append(key: key)
            guard value != .boolean(true) else { continue }
            text += "="
            try append(value)
        }
    }

    private mutating func append(key: String) throws(StructuredFieldError) {
        guard StructuredFieldSyntax.isKey(key) else {
            throw StructuredFieldError(
                message: "a key must begin with a lowercase letter or *, and may also contain digits, _, - and .")
        }
        text += key
    }

    private mutating func append(_ value: StructuredField.BareItem) throws(StructuredFieldError) {
        switch value {
        case .integer(let number): text += try Self.digits(number)
        case .decimal(let number): text += try Self.decimal(number)
        case .string(let string): try append(string: string)
        case .token(let token):
            guard StructuredFieldSyntax.isToken(token) else {
                throw StructuredFieldError(
                    message: "a token must begin with a letter or *, and may not contain blanks or quotes")
            }
            text += token
        case .byteSequence(let bytes): text += ":\(Base64.encode(bytes)):"
        case .boolean(let value): text += value ? "?1" : "?0"
        case .date(let seconds): text += "@" + (try Self.digits(seconds))
        case .displayString(let string): append(displayString: string)
        }
    }

    private static func digits(_ number: Int64) throws(StructuredFieldError) -> String {
        guard number >= -largest, number <= largest else {
            throw StructuredFieldError(message: "an integer has at most 15 digits")
        }
        return String(number)
    }

    private static func decimal(_ number: Double) throws(StructuredFieldError) -> String {
        let thousandths = (number * 1000).rounded(.toNearestOrEven)
        guard abs(thousandths) <= Double(largest) else {
            throw StructuredFieldError(message: "a decimal has at most 12 digits before its point, and can't be NaN")
        }
        let magnitude = Int64(abs(thousandths))
        var fraction = String(magnitude % 1000 + 1000).dropFirst()
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        return "\(thousandths < 0 ? "-" : "")\(magnitude / 1000).\(fraction)"
    }

    private mutating func append(string: String) throws(StructuredFieldError) {
        guard string.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else {
            throw StructuredFieldError(
                message: "a string may contain only printable ASCII; write it as a display string")
        }
        text += "\""
        for scalar in string.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        text += "\""
    }

    private mutating func append(displayString string: String) {
        let digits = Array("0123456789abcdef".unicodeScalars)
        text += "%\""
        for byte in string.utf8 {
            if byte < 0x20 || byte >= 0x7f || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\"") {
                text += "%"
                text.unicodeScalars.append(digits[Int(byte >> 4)])
                text.unicodeScalars.append(digits[Int(byte & 15)])
            } else {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        text += "\""
    }
}
