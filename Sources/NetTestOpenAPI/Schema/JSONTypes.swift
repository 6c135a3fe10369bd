#if Server
internal import NetCore

/// The kinds of JSON values, as a schema's `type` names them.
struct JSONTypes: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let null = JSONTypes(rawValue: 1)
    static let boolean = JSONTypes(rawValue: 2)
    static let integer = JSONTypes(rawValue: 4)
    static let number = JSONTypes(rawValue: 8)
    static let string = JSONTypes(rawValue: 16)
    static let array = JSONTypes(rawValue: 32)
    static let object = JSONTypes(rawValue: 64)

    private static let names: [(JSONTypes, String)] = [
        (.null, "null"), (.boolean, "boolean"), (.integer, "integer"), (.number, "number"), (.string, "string"),
        (.array, "array"), (.object, "object"),
    ]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The type of that name; nil if JSON Schema doesn't define it.
    init?(name: String) {
        guard let found = Self.names.first(where: { $0.1 == name }) else { return nil }
        self = found.0
    }

    /// The types of a value: a whole number is both an integer and a number, however it is written (JSON Schema
    /// 2020-12, 4.2.3).
    init(of value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool: self = .boolean
        case .integer, .unsigned: self = [.integer, .number]
        case .number(let number): self = number == number.rounded() ? [.integer, .number] : .number
        case .decimal: self = value.isWholeDecimal ? [.integer, .number] : .number
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }

    /// The names in a sentence: `integer or null`.
    var words: String {
        let found = Self.names.filter { contains($0.0) }.map(\.1)
        return found.isEmpty ? "nothing" : found.joined(separator: " or ")
    }
}
#endif
