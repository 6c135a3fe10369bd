/// A parameter's value as texts: what all the styles are written from. Members keep the order they are encoded in.
package indirect enum ParameterValue: Sendable, Hashable {
    case null
    case scalar(String)
    case array([ParameterValue])
    case object([Member])

    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: ParameterValue
    }

    /// Encodes any value as the parameter encoder does.
    package init(_ value: some Encodable) throws {
        self = try ParameterEncoder.encode(value)
    }

    /// One text for what is nested too deep for its style: JSON.
    package var text: String {
        switch self {
        case .null: ""
        case .scalar(let text): text
        case .array, .object: json
        }
    }

    /// By scalars: a quote with a combining mark is one character, and would not be found.
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
