/// Visits the members of an object one after another, to encode or hash them.
public struct MemberVisitor {
    // Two optionals instead of an enumeration: the payload of an enumeration can't be changed in place.
    private var container: KeyedEncodingContainer<JSONKey>?
    private var hasher: Hasher?
    /// The members without a property, and the optional members to encode as `null`.
    private(set) var kept: UndeclaredMembers?
    private var error: (any Error)?

    init(_ encoder: any Encoder) {
        container = encoder.container(keyedBy: JSONKey.self)
    }

    /// Creates a visitor that only collects the members without a property.
    init() {}

    init(_ hasher: Hasher) {
        self.hasher = hasher
    }

    /// Visits the members in order; omits those that are nil. To encode nil as `null`, pass a ``Nullable``.
    @_spi(Generated) public mutating func members<each Value: Encodable & Hashable>(
        _ members: repeat (String, each Value)
    ) {
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

    /// Visits the members that a schema allows as `additionalProperties`; omits names that have a property.
    @_spi(Generated) public mutating func others<Value: Encodable & Hashable>(
        _ others: [String: Value], besides known: Set<String> = []
    ) {
        guard container != nil else {
            hasher?.combine(others)
            return
        }
        for (name, value) in others where !known.contains(name) { member(name, value) }
    }

    /// Visits the undeclared members, then the given ones in order. An optional member that arrived as `null` is
    /// encoded as `null` again.
    @_spi(Generated) public mutating func members<each Value: Encodable & Hashable>(
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

/// Type-erased test for an optional that's nil.
private protocol OptionalMember {
    var isNil: Bool { get }
}

extension Optional: OptionalMember {
    fileprivate var isNil: Bool { if case .none = self { true } else { false } }
}
