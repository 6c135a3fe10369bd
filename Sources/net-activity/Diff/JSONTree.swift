#if Tools
/// A JSON value without loss: numbers keep all their digits, and strings are compared byte by byte.
indirect enum JSONTree: Equatable {
    case null
    case bool(Bool)
    case number(JSONFigure)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    static func == (left: JSONTree, right: JSONTree) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        // Strings that only look alike, such as a letter with a combining mark, are unequal.
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Returns the value on one line, truncated to about `limit` characters.
    func text(limit: Int) -> String {
        var text = ""
        write(to: &text, limit: limit)
        return text
    }

    private func write(to text: inout String, limit: Int) {
        guard text.utf8.count <= limit else { return }
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let value): text += value.text
        case .string(let value): text += Self.quoted(String(value.unicodeScalars.prefix(limit + 1)))
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() where text.utf8.count <= limit {
                if index > 0 { text += ", " }
                element.write(to: &text, limit: limit)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, key) in members.keys.sorted().enumerated() where text.utf8.count <= limit {
                text += (index > 0 ? ", " : "") + Self.quoted(key) + ": "
                members[key]?.write(to: &text, limit: limit)
            }
            text += "}"
        }
    }

    /// Returns the text in quotes, with quotes, backslashes and line breaks escaped.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// A JSON number as written. Numbers are equal if their values are: `1`, `1.0` and `10e-1`.
struct JSONFigure: Equatable {
    let text: String
    private let isNegative: Bool
    /// The digits without zeros at either end; empty for zero.
    private let digits: String
    private let exponent: Int

    init(_ text: String) {
        self.text = text
        var (digits, exponent) = ([UInt8](), 0)
        var isFraction = false
        let mantissa = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        for byte in mantissa {
            switch byte {
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "-"): break
            default:
                if isFraction { exponent -= 1 }
                if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
            }
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        let written = text.utf8.dropFirst(mantissa.count + 1)
        // No realistic number has a larger exponent.
        let power = written.isEmpty ? 0 : Int(String(decoding: written, as: UTF8.self)) ?? Int.max / 2
        isNegative = text.utf8.first == UInt8(ascii: "-") && !digits.isEmpty
        self.digits = String(decoding: digits, as: UTF8.self)
        self.exponent = digits.isEmpty ? 0 : exponent.addingReportingOverflow(power).partialValue
    }

    static func == (left: JSONFigure, right: JSONFigure) -> Bool {
        left.isNegative == right.isNegative && left.digits == right.digits && left.exponent == right.exponent
    }
}
#endif
