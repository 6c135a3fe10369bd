/// The members of an object that its type has no property for, as they came, and which optional ones came as `null`.
///
/// They are written again with the object, so that what a newer server adds survives a change and a way back. They do not
/// count when two objects are compared. A property that has a value wins over an entry of its name.
///
/// Generated types keep them to themselves; ``SchemaMembers/undeclaredMembers`` shows them.
public struct UndeclaredMembers: Sendable {
    /// The values by their names; nil for none, so that the common case takes no memory.
    private var storage: [String: JSONValue]?

    /// No member.
    public init() {}

    /// The value of a member; nil where there is none. Setting nil removes it.
    subscript(name: String) -> JSONValue? {
        get { storage?[name] }
        set {
            if storage == nil, newValue == nil { return }
            storage = storage ?? [:]
            storage?[name] = newValue
        }
    }

    /// All of them.
    var values: [String: JSONValue] { storage ?? [:] }
}

extension UndeclaredMembers: Hashable {
    public static func == (left: UndeclaredMembers, right: UndeclaredMembers) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}
