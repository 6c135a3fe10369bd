/// A parser of URI templates, byte by byte (RFC 6570 section 2).
struct URITemplateParser {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func parse() throws(URITemplateError) -> [URITemplate.Part] {
        var parts: [URITemplate.Part] = []
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "{") {
                parts.append(.expression(try expression()))
            } else {
                parts.append(.literal(try literal()))
            }
        }
        return parts
    }

    /// Parses the text up to the next brace. Escapes non-ASCII bytes, and throws for ASCII that a URI can't contain.
    private mutating func literal() throws(URITemplateError) -> String {
        var output: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "{") {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "}"):
                throw error(.unbalancedBrace, "a } without its {; write %7D for a literal brace")
            case UInt8(ascii: "%"):
                guard PercentEncoding.isEscape(bytes[index...]) else {
                    throw error(.invalidLiteral, "a % must be followed by two hexadecimal digits; write %25")
                }
                output.append(byte)
            case 0...32, 127, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
                UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"):
                let hex = String(byte, radix: 16, uppercase: true)
                throw error(
                    .invalidLiteral,
                    "the character 0x\(hex) isn't allowed in a URI; write %\(byte < 16 ? "0" : "")\(hex)")
            case 128...:
                PercentEncoding.appendEscaped(byte, to: &output)
            default:
                output.append(byte)
            }
            index += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private mutating func expression() throws(URITemplateError) -> URITemplate.Expression {
        let start = index
        index += 1
        guard let first = bytes[index...].first else { throw unclosed(start) }
        var expression = URITemplate.Expression(style: .simple, position: start)
        if let style = URITemplate.Style(operator: first) {
            expression.style = style
            index += 1
        } else if "=,!@|".utf8.contains(first) {
            throw error(
                .unknownOperator, "\"\(Character(Unicode.Scalar(first)))\" is reserved for later versions of RFC 6570")
        }
        while true {
            expression.variables.append(try variable(of: start))
            guard index < bytes.count else { throw unclosed(start) }
            let byte = bytes[index]
            if byte != UInt8(ascii: "}"), byte != UInt8(ascii: ",") {
                throw error(.invalidName, "a variable must be followed by a comma or }, not \(shown(byte))")
            }
            index += 1
            if byte == UInt8(ascii: "}") { return expression }
        }
    }

    private mutating func variable(of start: Int) throws(URITemplateError) -> URITemplate.Variable {
        let begin = index
        var wantsCharacter = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), PercentEncoding.isEscape(bytes[index...]) {
                index += 3
            } else if Self.isNameCharacter(byte) {
                index += 1
            } else if byte == UInt8(ascii: "."), !wantsCharacter {
                index += 1
                wantsCharacter = true
                continue
            } else {
                break
            }
            wantsCharacter = false
        }
        if wantsCharacter {
            guard index < bytes.count else { throw unclosed(start) }
            throw error(
                .invalidName, "a name has letters, digits, _, escapes, and . between them, not \(shown(bytes[index]))")
        }
        let name = String(decoding: bytes[begin..<index], as: UTF8.self)
        return URITemplate.Variable(name: name, modifier: try modifier(), position: begin)
    }

    private mutating func modifier() throws(URITemplateError) -> URITemplate.Modifier {
        guard index < bytes.count else { return .none }
        if bytes[index] == UInt8(ascii: "*") {
            index += 1
            return .explode
        }
        guard bytes[index] == UInt8(ascii: ":") else { return .none }
        let digits = bytes[(index + 1)...].prefix(5).prefix { $0 >= 48 && $0 <= 57 }
        guard let length = Int(String(decoding: digits, as: UTF8.self)), digits.count < 5, digits.first != 48 else {
            throw error(.invalidModifier, "a length after : is a number from 1 to 9999, without leading zeros")
        }
        index += 1 + digits.count
        if index < bytes.count, bytes[index] == UInt8(ascii: "*") {
            throw error(.invalidModifier, "a variable has a length or a *, not both")
        }
        return .prefix(length)
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private func shown(_ byte: UInt8) -> String {
        byte > 32 && byte < 127
            ? "\"\(Character(Unicode.Scalar(byte)))\"" : "the byte 0x\(String(byte, radix: 16, uppercase: true))"
    }

    private func unclosed(_ start: Int) -> URITemplateError {
        URITemplateError(
            .unbalancedBrace, position: start, message: "a { without its }; write %7B for a literal brace")
    }

    private func error(_ code: URITemplateError.Code, _ message: String) -> URITemplateError {
        URITemplateError(code, position: index, message: message)
    }
}
