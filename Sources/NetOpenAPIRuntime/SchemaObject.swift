/// A struct that generated code makes of an object: it says once how its members are read and once what they are, and
/// coding and hashing follow from that.
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

/// What a ``SchemaObject`` says of its members.
// Apart from coding and hashing: a protocol that refines theirs costs each generated type a function for every one.
public protocol SchemaMembers: Sendable {
    /// Reads the members; throws `DecodingError` where a required one is missing or of another type.
    init(reading members: inout ObjectMembers) throws
    /// Hands out the members: what has no property first, then each property.
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

    /// The members that the type has no property for, as they came, and the optional ones that came as `null`.
    ///
    /// They are written again with the object, so that what a newer server adds survives a way back. They do not count
    /// when two objects are compared, and a property that has a value wins over a `null` of its name.
    public var undeclaredMembers: [String: JSONValue] {
        var visitor = MemberVisitor()
        visit(&visitor)
        return visitor.kept?.values ?? [:]
    }
}
