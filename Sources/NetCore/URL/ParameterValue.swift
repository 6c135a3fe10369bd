/// The value of a parameter as strings, from which all styles are written. Members keep the order of their encoding.
package indirect enum ParameterValue: Sendable, Hashable {
    case null
    case scalar(String)
    case array([ParameterValue])
    case object([Member])

    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: ParameterValue
    }

    /// Creates a value with ``ParameterEncoder``.
    package init(_ value: some Encodable) throws {
        self = try ParameterEncoder.encode(value)
    }

    /// The value as a single text, for values nested too deeply for their style; arrays and objects become JSON.
    package var text: String {
        switch self {
        case .null: ""
        case .scalar(let text): text
        case .array, .object: json
        }
    }

    /// Iterates over scalars: a quote with a combining mark is a single character and wouldn't be found.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private var json: String {
        switch self {
        case .null: return "null"
        case .scalar(let text): return Self.quoted(text)
        case .array(let elements):
            return "[\(elements.map(\.json).joined(separator: ","))]"
        case .object(let members):
            return
                "{\(members.map { "\(ParameterValue.scalar($0.name).json):\($0.value.json)" }.joined(separator: ","))}"
        }
    }
}
