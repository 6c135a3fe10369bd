/// A type that the document declares, by name or in place.
struct TypeDeclaration: Sendable {
    /// What a declared type is.
    enum Kind: Sendable {
        /// Still being read: only recursion sees it.
        case pending
        /// Turned out to need no declaration.
        case removed
        case alias(TypeReference)
        case object(ObjectModel)
        case enumeration(EnumModel)
        case union(UnionModel)
    }

    /// Where a declaration stands.
    enum Owner: Hashable, Sendable {
        case topLevel
        case type(TypeID)
        /// Inside the request type of the operation with that index.
        case operation(Int)
    }

    var kind: Kind = .pending
    var owner: Owner
    /// The name as the document has it, or made of the names around it.
    var rawName: String
    var isComponent = false
    /// Whether `null` may stand wherever the type is used.
    var isNullable = false
    var documentation = Documentation()
    var position: SourcePosition

    /// Whether others can be declared inside it.
    var holdsTypes: Bool {
        switch kind {
        case .object, .union: true
        case .alias, .enumeration, .pending, .removed: false
        }
    }
}

/// What a document says of something, for people.
struct Documentation: Hashable, Sendable {
    var summary: String?
    var description: String?
    var isDeprecated = false
}

/// An object schema with named members.
struct ObjectModel: Sendable {
    var properties: [PropertyModel]
    /// The type of members that have no property; nil when they are ignored.
    var additional: TypeReference?
}

/// A member of an object.
struct PropertyModel: Sendable {
    /// The name in JSON.
    var name: String
    var type: TypeReference
    var isRequired: Bool
    var isNullable: Bool
    var isReadOnly = false
    var isWriteOnly = false
    /// Whether it is stored outside its struct, because the type holds values of its own kind.
    var isBoxed = false
    var defaultValue: Node?
    /// The only texts it can have, where the document says so (`const`, `enum`).
    var fixedValues: [String] = []
    var documentation = Documentation()
}

/// A `const`, or an `enum` of strings or whole numbers.
struct EnumModel: Sendable {
    struct Value: Hashable, Sendable {
        var text: String
        /// A name given by an extension such as `x-enum-varnames`.
        var name: String?
    }

    var isInteger: Bool
    var values: [Value]
}

/// A `oneOf` or `anyOf`.
struct UnionModel: Sendable {
    struct Variant: Sendable {
        var type: TypeReference
        /// What its case is named after.
        var rawName: String
        /// The discriminator's value for this case; nil where there is none.
        var discriminatorValue: String?
    }

    var variants: [Variant]
    /// The member that tells the variants apart.
    var discriminator: String?
    /// Whether the enumeration must be indirect.
    var isIndirect = false
}
