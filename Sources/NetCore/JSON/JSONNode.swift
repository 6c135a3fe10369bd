/// A JSON value with its position, so that a message about a file can include the line and column.
package struct JSONNode: Sendable, Hashable {
    /// A position in a text. Both numbers count from 1; columns count bytes.
    package struct Position: Sendable, Hashable {
        package var line: Int
        package var column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// The path to a value. Sibling values share its beginning; it is formatted only for a message.
    package indirect enum Path: Sendable, Hashable {
        case document
        case member(String, of: Path)
        case element(Int, of: Path)
    }

    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: JSONNode
        package var position: Position

        package init(name: String, value: JSONNode, position: Position) {
            self.name = name
            self.value = value
            self.position = position
        }
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
    package var path: Path

    package init(kind: Kind, position: Position, path: Path = .document) {
        self.kind = kind
        self.position = position
        self.path = path
    }

    /// The path as text, such as `exchanges[3].request.url`.
    package var place: String {
        var steps: [String] = []
        var path = path
        while true {
            switch path {
            case .document: return steps.reversed().joined()
            case .member(let name, .document):
                steps.append(name)
                path = .document
            case .member(let name, let outer):
                steps.append("." + name)
                path = outer
            case .element(let index, let outer):
                steps.append("[\(index)]")
                path = outer
            }
        }
    }

    /// The first member of that name; nil if there is none or it is null.
    package subscript(name: String) -> JSONNode? {
        guard case .object(let members) = kind,
            let value = members.first(where: { $0.name == name })?.value, value.kind != .null
        else { return nil }
        return value
    }

    /// The value without its position. Whole numbers that a `Double` holds exactly become integers.
    package var value: JSONValue {
        switch kind {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let value): Int64(exactly: value).map { .integer($0) } ?? .number(value)
        case .string(let value): .string(value)
        case .array(let elements): .array(elements.map(\.value))
        case .object(let members): .object(Dictionary(members.map { ($0.name, $0.value.value) }) { first, _ in first })
        }
    }

    package var string: String? { if case .string(let value) = kind { value } else { nil } }
    package var number: Double? { if case .number(let value) = kind { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = kind { value } else { nil } }
    package var array: [JSONNode]? { if case .array(let value) = kind { value } else { nil } }
    package var members: [Member]? { if case .object(let value) = kind { value } else { nil } }

    /// The kind of value, in words.
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

extension JSONNode.Position {
    /// Creates the position of a byte in a text.
    package init(of offset: Int, in text: [UInt8]) {
        let before = text.prefix(offset)
        let lineStart = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
        self.init(line: 1 + before.count { $0 == 0x0a }, column: before.count - lineStart + 1)
    }
}
