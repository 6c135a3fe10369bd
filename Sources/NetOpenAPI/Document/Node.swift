/// One value of a JSON or YAML document, as written, with its position.
///
/// The tree is lenient: scalars keep their text, and the consumer requests the type that a keyword needs. Objects keep
/// the order of their members. Anchors, aliases and merge keys are already resolved.
public struct Node: Sendable {
    /// The value of a node.
    public enum Value: Sendable {
        /// A scalar as written. `isQuoted` is true for a JSON string and for a quoted or block YAML scalar: such a
        /// scalar is always text.
        case scalar(String, isQuoted: Bool)
        /// A list.
        case array([Node])
        /// An object; its members are in document order.
        case object([Member])
    }

    /// One member of an object.
    public struct Member: Sendable {
        /// The name; for a YAML key such as `200`, its text.
        public var key: String
        /// The position of the name.
        public var keyPosition: SourcePosition
        /// The value.
        public var value: Node

        /// Creates a member.
        public init(key: String, keyPosition: SourcePosition, value: Node) {
            self.key = key
            self.keyPosition = keyPosition
            self.value = value
        }
    }

    /// The value.
    public var value: Value
    /// The position of the first character.
    public var position: SourcePosition

    /// Creates a node with a value and its position.
    public init(_ value: Value, at position: SourcePosition) {
        self.value = value
        self.position = position
    }
}

extension Node {
    /// The members of an object in document order; empty for anything else.
    public var members: [Member] {
        if case .object(let members) = value { members } else { [] }
    }

    /// The elements of an array; empty for anything else.
    public var elements: [Node] {
        if case .array(let elements) = value { elements } else { [] }
    }

    /// True if the node is an object.
    public var isObject: Bool {
        if case .object = value { true } else { false }
    }

    /// True if the node is an array.
    public var isArray: Bool {
        if case .array = value { true } else { false }
    }

    /// The value of a member; the last one if the document repeats the name. Nil if there is no such member or the node
    /// isn't an object.
    public subscript(key: String) -> Node? {
        guard case .object(let members) = value else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The text of a scalar, quoted or not (`no`, `2020-01-01` and `1.0` stay as written); nil for anything else.
    public var text: String? {
        if case .scalar(let text, _) = value { text } else { nil }
    }

    /// True for an unquoted scalar that is `null`, `~` or empty.
    public var isNull: Bool {
        guard case .scalar(let text, isQuoted: false) = value else { return false }
        return ["null", "Null", "NULL", "~", ""].contains(text)
    }

    /// The value of an unquoted Boolean (YAML 1.2 core schema: only `true` and `false`); nil for anything else.
    public var bool: Bool? {
        guard case .scalar(let text, isQuoted: false) = value else { return nil }
        switch text {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default: return nil
        }
    }

    /// The value of an unquoted integer; nil for anything else.
    public var int: Int? {
        guard case .scalar(let text, isQuoted: false) = value else { return nil }
        return Int(text)
    }

    /// The value of an unquoted number; nil for anything else.
    public var double: Double? {
        guard case .scalar(let text, isQuoted: false) = value else { return nil }
        return Double(text)
    }
}

extension Node {
    /// The kind of the node, as words for a message: `an object`, `an array`, `null`, `text` or `the scalar 12`.
    public var kindName: String {
        switch value {
        case .object: "an object"
        case .array: "an array"
        case .scalar(let text, let isQuoted):
            if isNull { "null" } else if isQuoted { "text" } else { "the scalar \(text.prefix(40))" }
        }
    }
}
