/// A reference to a type, without the Swift names of declared types.
indirect enum TypeReference: Hashable, Sendable {
    /// A type of the standard library, Foundation or NetCore.
    enum Scalar: String, Hashable, Sendable {
        case string, bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64
        case double, decimal, data, date, calendarDate, uuid, url
        /// Free-form JSON.
        case json
        /// A decimal number that is coded as a string.
        case decimalText
    }

    case scalar(Scalar)
    case array(TypeReference)
    case dictionary(TypeReference)
    /// An element that can be null.
    case optional(TypeReference)
    case named(TypeID)

    static let json = TypeReference.scalar(.json)
    static let string = TypeReference.scalar(.string)

    /// True for free-form JSON, and for lists and objects of it.
    var isFreeForm: Bool {
        switch self {
        case .scalar(let scalar): scalar == .json
        case .array(let inner), .dictionary(let inner), .optional(let inner): inner.isFreeForm
        case .named: false
        }
    }

    /// The declared type it refers to, directly or as the element of a list, object or optional; nil for a scalar.
    var named: TypeID? {
        switch self {
        case .scalar: nil
        case .array(let inner), .dictionary(let inner), .optional(let inner): inner.named
        case .named(let id): id
        }
    }

    /// Returns the same reference with declared types replaced.
    func renamed(_ others: [TypeID: TypeID]) -> TypeReference {
        switch self {
        case .scalar: self
        case .array(let inner): .array(inner.renamed(others))
        case .dictionary(let inner): .dictionary(inner.renamed(others))
        case .optional(let inner): .optional(inner.renamed(others))
        case .named(let id): .named(others[id] ?? id)
        }
    }
}

/// The index of a declaration in ``APIModel/types``.
struct TypeID: Hashable, Sendable {
    let index: Int
}

/// A use of a type, with or without `null` allowed in its place.
struct TypeUse: Hashable, Sendable {
    var type: TypeReference
    var isNullable = false

    /// The type as an element of an array or dictionary, or as a whole body.
    var element: TypeReference {
        if case .optional = type { return type }
        return isNullable ? .optional(type) : type
    }
}
