/// A struct generated from an object schema. It defines how its members are decoded, and lists them once; coding and
/// hashing are derived from that.
///
///     struct Pet: SchemaObject {
///         var name: String
///         var age: Int?
///         private var undeclared = UndeclaredMembers()
///         init(reading members: inout ObjectMembers) throws {
///             name = try members.required("name")
///             age = members.optional("age")
///             undeclared = members.undeclared()
///         }
///         func visit(_ visitor: inout MemberVisitor) {
///             visitor.members(undeclared: undeclared, ("name", name), ("age", age))
///         }
///     }
public typealias SchemaObject = Codable & Hashable & SchemaMembers

/// The members of a ``SchemaObject``.
// Separate from coding and hashing: a protocol that refines those costs each generated type a function per requirement.
public protocol SchemaMembers: Sendable {
    /// Reads the members; throws `DecodingError` if a required one is missing or of another type.
    init(reading members: inout ObjectMembers) throws
    /// Passes the members to the visitor: those without a property first, then each property.
    func visit(_ visitor: inout MemberVisitor)
}

extension SchemaMembers {
    public init(from decoder: any Decoder) throws {
        var members = try ObjectMembers(decoder)
        try self.init(reading: &members)
        try members.finish()
    }

    public func encode(to encoder: any Encoder) throws {
        var visitor = MemberVisitor(encoder)
        visit(&visitor)
        try visitor.finish()
    }

    public func hash(into hasher: inout Hasher) {
        var visitor = MemberVisitor(hasher)
        visit(&visitor)
        visitor.leave(to: &hasher)
    }

    /// The members without a property, as they arrived, and the optional ones that arrived as `null`.
    ///
    /// They're encoded again with the object, so that additions of a newer server survive a round trip. They don't
    /// count when objects are compared, and a property with a value takes precedence over a `null` with its name.
    public var undeclaredMembers: [String: JSONValue] {
        var visitor = MemberVisitor()
        visit(&visitor)
        return visitor.kept?.values ?? [:]
    }
}
