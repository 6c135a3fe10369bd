/// The members of an object that its type has no property for, as they came, and which optional ones came as `null`.
///
/// They are written again with the object, so that what a newer server adds survives a change and a way back. They do not
/// count when two objects are compared. A property that has a value wins over an entry of its name.
///
/// Generated types keep them to themselves; ``SchemaMembers/undeclaredMembers`` shows them.
public struct UndeclaredMembers: Sendable {
    /// The values by their names, nil for a property that came as `null`; no dictionary where there is none, so that the
    /// common case takes no memory.
    private var storage: [String: JSONValue?]?

    /// No member.
    public init() {}

    mutating func add(_ name: String, _ value: JSONValue) { add(name, entry: value) }

    /// Notes that an optional property came as `null`.
    mutating func addNull(of property: String) { add(property, entry: nil) }

    private mutating func add(_ name: String, entry: JSONValue?) {
        var entries = storage ?? [:]
        storage = nil
        entries.updateValue(entry, forKey: name)
        storage = entries
    }

    /// Whether an optional property of that name came as `null`.
    func isNull(property: String) -> Bool {
        if let entry = storage?[property], entry == nil { true } else { false }
    }

    /// What has no property.
    var others: [String: JSONValue] { storage?.compactMapValues(\.self) ?? [:] }

    /// All of them, with `null` for the properties that came so.
    var values: [String: JSONValue] { storage?.mapValues { $0 ?? .null } ?? [:] }
}

extension UndeclaredMembers: Hashable {
    public static func == (left: UndeclaredMembers, right: UndeclaredMembers) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}

extension UndeclaredMembers: CustomReflectable {
    /// The members; those are hidden whose names say that they're secrets.
    public var customMirror: Mirror {
        let members = Printed.members((storage ?? [:]).mapValues { $0 ?? .null })
        return Mirror(self, children: ["members": members], displayStyle: .struct)
    }
}
