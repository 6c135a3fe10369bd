/// A JSON value that knows where it stands, so that a message about a file can say where to look.
package struct JSONNode: Sendable, Hashable {
    /// A place in a text; both count from 1, columns in bytes.
    package struct Position: Sendable, Hashable {
        package var line: Int
        package var column: Int
    }

    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: JSONNode
        package var position: Position
    }

    package enum Kind: Sendable, Hashable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    package var kind: Kind
    package var position: Position
    /// How to get there, such as `exchanges[3].request.url`.
    package var place: String

    /// The member of that name, the first where it repeats; nil where there is none, or only null.
    package subscript(name: String) -> JSONNode? {
        guard case .object(let members) = kind,
            let value = members.first(where: { $0.name == name })?.value, value.kind != .null
        else { return nil }
        return value
    }

    package var string: String? { if case .string(let value) = kind { value } else { nil } }
    package var number: Double? { if case .number(let value) = kind { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = kind { value } else { nil } }
    package var array: [JSONNode]? { if case .array(let value) = kind { value } else { nil } }
    package var members: [Member]? { if case .object(let value) = kind { value } else { nil } }

    /// What it is, for people.
    package var kindName: String {
        switch kind {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
