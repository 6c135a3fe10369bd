#if Server
internal import NetCore
internal import NetOpenAPI

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension JSONValue {
    /// The same value with all numbers in one form, so that 1 and 1.0 are equal.
    var canonical: JSONValue {
        switch self {
        case .null, .bool, .integer, .string: return self
        case .unsigned(let value): return Int64(exactly: value).map { .integer($0) } ?? self
        case .number(let value): return Int64(exactly: value).map { .integer($0) } ?? self
        case .decimal(let value):
            let text = value.description
            if let whole = Int64(text) { return .integer(whole) }
            return Double(text).flatMap { Decimal(string: $0.description) == value ? .number($0) : nil } ?? self
        case .array(let elements): return .array(elements.map(\.canonical))
        case .object(let members): return .object(members.mapValues(\.canonical))
        }
    }

    /// True for a decimal number without a fraction: Decimal writes every digit, and a point only before a fraction.
    var isWholeDecimal: Bool {
        if case .decimal(let value) = self { !value.description.contains(".") } else { false }
    }

    /// The value for a message: its JSON, truncated.
    var shown: String {
        switch self {
        case .null: return "null"
        case .bool(let value): return "\(value)"
        case .string(let text): return "\"\(text.count > 60 ? text.prefix(60) + "…" : text[...])\""
        case .array(let elements): return "an array of \(elements.count)"
        case .object(let members): return "an object with \(members.count) members"
        case .integer(let value): return "\(value)"
        case .unsigned(let value): return "\(value)"
        case .number(let value): return "\(value)"
        case .decimal(let value): return "\(value)"
        }
    }

    /// A value of a document, read by the core schema of YAML 1.2, which for JSON equals JSON's own rules.
    init(_ node: Node) {
        switch node.value {
        case .array(let elements): self = .array(elements.map { JSONValue($0) })
        case .object(let members):
            self = .object(
                Dictionary(members.map { ($0.key, JSONValue($0.value)) }, uniquingKeysWith: { $1 }))
        case .scalar(let text, let isQuoted):
            if isQuoted {
                self = .string(text)
            } else if node.isNull {
                self = .null
            } else if let flag = node.bool {
                self = .bool(flag)
            } else {
                self = JSONValue(number: text) ?? .string(text)
            }
        }
    }

    /// A number in JSON's syntax; nil for any other text.
    init?(number text: some StringProtocol) {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (48...57).contains(first),
            text.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) })
        else { return nil }
        if let whole = Int64(text) {
            self = .integer(whole)
        } else if let whole = UInt64(text) {
            self = .unsigned(whole)
        } else if let number = Double(text), number.isFinite {
            self = .number(number)
        } else {
            return nil
        }
    }
}
#endif
