/// Takes the members of an object one after another, to write or to hash them.
public struct MemberVisitor {
    // Two optionals, not an enumeration: a payload cannot be changed in place.
    private var container: KeyedEncodingContainer<JSONKey>?
    private var hasher: Hasher?
    /// What has no property; of it, the optional members to write as `null`.
    private(set) var kept: UndeclaredMembers?
    private var error: (any Error)?

    init(_ encoder: any Encoder) {
        container = encoder.container(keyedBy: JSONKey.self)
    }

    /// Only looks at what has no property.
    init() {}

    init(_ hasher: Hasher) {
        self.hasher = hasher
    }

    /// Members in their order; one that is nil is left out. To write `null` for nil, pass a ``Nullable``.
    public mutating func members<each Value: Encodable & Hashable>(_ members: repeat (String, each Value)) {
        for (name, value) in repeat each members { member(name, value) }
    }

    private mutating func member(_ name: String, _ value: some Encodable & Hashable) {
        guard container != nil else {
            hasher?.combine(value)
            return
        }
        do {
            if let optional = value as? any OptionalMember, optional.isNil {
                guard let kept, kept.isNull(property: name) else { return }
                try container?.encodeNil(forKey: JSONKey(name))
            } else {
                try container?.encode(value, forKey: JSONKey(name))
            }
        } catch {
            self.error = self.error ?? error
        }
    }

    /// The members that a schema allows as `additionalProperties`; one of the names that have a property is left out.
    public mutating func others<Value: Encodable & Hashable>(_ others: [String: Value], besides known: Set<String> = [])
    {
        guard container != nil else {
            hasher?.combine(others)
            return
        }
        for (name, value) in others where !known.contains(name) { member(name, value) }
    }

    /// What has no property, and then the members in their order; an optional one that came as `null` is written so again.
    public mutating func members<each Value: Encodable & Hashable>(
        undeclared: UndeclaredMembers, _ members: repeat (String, each Value)
    ) {
        kept = undeclared
        if container != nil {
            for (name, value) in undeclared.others { member(name, value) }
        }
        for (name, value) in repeat each members { member(name, value) }
    }

    func finish() throws {
        if let error { throw error }
    }

    func leave(to hasher: inout Hasher) {
        if let own = self.hasher { hasher = own }
    }
}

/// What tells that an optional of any type is nil.
private protocol OptionalMember {
    var isNil: Bool { get }
}

extension Optional: OptionalMember {
    fileprivate var isNil: Bool { if case .none = self { true } else { false } }
}
