internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// JSON for people and diffs: sorted keys, two spaces, one member a line, always the same for the same value.
enum RecordJSON {
    static func write(_ value: JSONValue) -> String {
        var text = ""
        append(value, indent: "", to: &text)
        return text + "\n"
    }

    private static func append(_ value: JSONValue, indent: String, to text: inout String) {
        let inner = indent + "  "
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .unsigned(let value): text += String(value)
        case .number(let value): text += value.isFinite ? value.description : "0"
        case .decimal(let value): text += value.description
        case .string(let value): append(value, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                text += index == 0 ? "\n\(inner)" : ",\n\(inner)"
                append(element, indent: inner, to: &text)
            }
            text += elements.isEmpty ? "]" : "\n\(indent)]"
        case .object(let members):
            text += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                text += index == 0 ? "\n\(inner)" : ",\n\(inner)"
                append(member.key, to: &text)
                text += ": "
                append(member.value, indent: inner, to: &text)
            }
            text += members.isEmpty ? "}" : "\n\(indent)}"
        }
    }

    /// A text in quotation marks.
    static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<" ", "\u{7f}"..<"\u{a0}", "\u{2028}", "\u{2029}", "\u{feff}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
