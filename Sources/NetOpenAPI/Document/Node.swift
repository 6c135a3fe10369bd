/// One value of a JSON or YAML document, as written, with its place.
///
/// The tree is lenient: scalars keep their text, and a reader asks for the type its keyword needs. Objects keep their
/// order. Anchors, aliases and merge keys are already resolved.
public struct Node: Sendable {
    /// What a node holds.
    public enum Value: Sendable {
        /// A scalar as written. `isQuoted` is true for a JSON string and for a quoted or block YAML scalar: such a scalar
        /// is text whatever it looks like.
        case scalar(String, isQuoted: Bool)
        /// A list.
        case array([Node])
        /// Members in their order.
        case object([Member])
    }

    /// One member of an object.
    public struct Member: Sendable {
        /// The name; a YAML key such as `200` is its text.
        public var key: String
        /// Where the name stands.
        public var keyPosition: SourcePosition
        /// What the name stands for.
        public var value: Node

        /// Pairs a name with a value.
        public init(key: String, keyPosition: SourcePosition, value: Node) {
            self.key = key
            self.keyPosition = keyPosition
            self.value = value
        }
    }

    /// What the node holds.
    public var value: Value
    /// Where it begins.
    public var position: SourcePosition

    /// Puts a value at a place.
    public init(_ value: Value, at position: SourcePosition) {
        self.value = value
        self.position = position
    }
}

extension Node {
    /// The members of an object in their order; empty for anything else.
    public var members: [Member] {
        if case .object(let members) = value { members } else { [] }
    }

    /// The elements of an array; empty for anything else.
    public var elements: [Node] {
        if case .array(let elements) = value { elements } else { [] }
    }

    /// Whether the node is an object.
    public var isObject: Bool {
        if case .object = value { true } else { false }
    }

    /// Whether the node is an array.
    public var isArray: Bool {
        if case .array = value { true } else { false }
    }

    /// The member of that name, the last one where the document repeats it; nil for anything but an object.
    public subscript(key: String) -> Node? {
        guard case .object(let members) = value else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The text of a scalar, quoted or not (`no`, `2020-01-01` and `1.0` stay as written).
    public var text: String? {
        if case .scalar(let text, _) = value { text } else { nil }
    }

    /// Whether the scalar is `null`, `~` or nothing, unquoted.
    public var isNull: Bool {
        guard case .scalar(let text, isQuoted: false) = value else { return false }
        return ["null", "Null", "NULL", "~", ""].contains(text)
    }

    /// The scalar as a truth value, unquoted (YAML 1.2 core schema: `true` and `false` alone).
    public var bool: Bool? {
        guard case .scalar(let text, isQuoted: false) = value else { return nil }
        switch text {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default: return nil
        }
    }

    /// The scalar as a whole number, unquoted.
    public var int: Int? {
        guard case .scalar(let text, isQuoted: false) = value else { return nil }
        return Int(text)
    }

    /// The scalar as a number, unquoted.
    public var double: Double? {
        guard case .scalar(let text, isQuoted: false) = value else { return nil }
        return Double(text)
    }
}

extension Node {
    /// What the node is, in words for a message: `an object`, `an array`, `null`, `text` or `the scalar 12`.
    public var kindName: String {
        switch value {
        case .object: "an object"
        case .array: "an array"
        case .scalar(let text, let isQuoted):
            if isNull { "null" } else if isQuoted { "text" } else { "the scalar \(text.prefix(40))" }
        }
    }
}
