/// A type that the document declares, by name or inline.
struct TypeDeclaration: Sendable {
    /// The kind of a declared type.
    enum Kind: Sendable {
        /// Still being read; visible only during recursion.
        case pending
        /// Needs no declaration after all.
        case removed
        case alias(TypeReference)
        case object(ObjectModel)
        case enumeration(EnumModel)
        case union(UnionModel)
    }

    /// The place of a declaration.
    enum Owner: Hashable, Sendable {
        case topLevel
        case type(TypeID)
        /// Inside the request type of the operation at this index.
        case operation(Int)
    }

    var kind: Kind = .pending
    var owner: Owner
    /// The name in the document, or a name made from the enclosing ones.
    var rawName: String
    var isComponent = false
    /// True if `null` is allowed wherever the type is used.
    var isNullable = false
    var documentation = Documentation()
    var position: SourcePosition

    /// True if other types can be declared inside it.
    var holdsTypes: Bool {
        switch kind {
        case .object, .union: true
        case .alias, .enumeration, .pending, .removed: false
        }
    }
}

/// The documentation of an element of the document.
struct Documentation: Hashable, Sendable {
    var summary: String?
    var description: String?
    var isDeprecated = false
}

/// An object schema with named members.
struct ObjectModel: Sendable {
    var properties: [PropertyModel]
    /// The type of members without a property; nil if those are ignored.
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
    /// True if it is stored outside its struct, because it contains values of the struct's own type or is large.
    var isBoxed = false
    var defaultValue: Node?
    /// The only texts it allows, if the document restricts them (`const`, `enum`).
    var fixedValues: [String] = []
    var documentation = Documentation()
}

/// A `const`, or an `enum` of strings or integers.
struct EnumModel: Sendable {
    struct Value: Hashable, Sendable {
        var text: String
        /// A name from an extension such as `x-enum-varnames`.
        var name: String?
    }

    var isInteger: Bool
    var values: [Value]
}

/// A `oneOf` or `anyOf`.
struct UnionModel: Sendable {
    struct Variant: Sendable {
        var type: TypeReference
        /// The text its case is named after.
        var rawName: String
        /// The discriminator's value for this case; nil if there is none.
        var discriminatorValue: String?
    }

    var variants: [Variant]
    /// The name of the member that distinguishes the variants.
    var discriminator: String?
    /// True if the enumeration must be `indirect`.
    var isIndirect = false
}
