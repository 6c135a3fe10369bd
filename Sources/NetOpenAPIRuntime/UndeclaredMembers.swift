/// The members of an object without a property in its type, as they arrived, and the optional ones that arrived as
/// `null`.
///
/// They're encoded again with the object, so that additions of a newer server survive a change and a round trip. They
/// don't count when objects are compared. A property with a value takes precedence over an entry with its name.
///
/// Generated types keep them private; ``SchemaMembers/undeclaredMembers`` exposes them.
public struct UndeclaredMembers: Sendable {
    /// Values by name; nil for a property that arrived as `null`. No dictionary if there are no entries, so that the
    /// common case takes no memory.
    private var storage: [String: JSONValue?]?

    /// Creates an empty collection.
    @_spi(Generated) public init() {}

    mutating func add(_ name: String, _ value: JSONValue) { add(name, entry: value) }

    /// Records that an optional property arrived as `null`.
    mutating func addNull(of property: String) { add(property, entry: nil) }

    private mutating func add(_ name: String, entry: JSONValue?) {
        var entries = storage ?? [:]
        storage = nil
        entries.updateValue(entry, forKey: name)
        storage = entries
    }

    /// Returns true if an optional property with that name arrived as `null`.
    func isNull(property: String) -> Bool {
        if let entry = storage?[property], entry == nil { true } else { false }
    }

    /// The members without a property.
    var others: [String: JSONValue] { storage?.compactMapValues(\.self) ?? [:] }

    /// All members, with `null` for the properties that arrived as `null`.
    var values: [String: JSONValue] { storage?.mapValues { $0 ?? .null } ?? [:] }
}

extension UndeclaredMembers: Hashable {
    public static func == (left: UndeclaredMembers, right: UndeclaredMembers) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}

extension UndeclaredMembers: CustomStringConvertible, CustomReflectable {
    /// The members as JSON; values are hidden if their names indicate secrets.
    public var description: String { "\(JSONValue.object(values))" }

    /// The members; values are hidden if their names indicate secrets.
    public var customMirror: Mirror {
        let members = Printed.members((storage ?? [:]).mapValues { $0 ?? .null })
        return Mirror(self, children: ["members": members], displayStyle: .struct)
    }
}
