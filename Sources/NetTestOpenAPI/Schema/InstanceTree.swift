#if Server
internal import NetCore

/// A value whose parts are numbered, so that results for a part can be cached.
struct InstanceTree: Sendable {
    struct Part: Sendable {
        /// The value; arrays and objects have their parts in `children`.
        var value: JSONValue
        /// The part that contains this one; the root's parent is itself.
        var parent: Int
        /// The name or index in the parent.
        var key: String
        /// The parts inside this one, members sorted by name.
        var children: [Int] = []
    }

    private(set) var parts: [Part] = []
    /// True if the value was too large, so that some parts are missing.
    private(set) var isCut = false

    /// - Parameter limit: The largest number of parts.
    init(_ value: JSONValue, limit: Int = 1_000_000) {
        parts.append(Part(value: value, parent: 0, key: ""))
        var next = 0
        while next < parts.count {
            switch parts[next].value {
            case .array(let elements):
                for (place, element) in elements.enumerated() { add(element, "\(place)", to: next, limit) }
            case .object(let members):
                for (name, member) in members.sorted(by: { $0.key < $1.key }) { add(member, name, to: next, limit) }
            default: break
            }
            next += 1
        }
    }

    private mutating func add(_ value: JSONValue, _ key: String, to parent: Int, _ limit: Int) {
        guard parts.count < limit else {
            isCut = true
            return
        }
        parts[parent].children.append(parts.count)
        parts.append(Part(value: value, parent: parent, key: key))
    }

    /// The member of that name.
    func member(_ name: String, of part: Int) -> Int? {
        guard case .object(let members) = parts[part].value, members[name] != nil else { return nil }
        return parts[part].children.first { parts[$0].key == name }
    }

    /// The JSON pointer of a part.
    func pointer(_ part: Int) -> String {
        var segments: [String] = []
        var part = part
        while part != 0 {
            segments.append("/" + SchemaPlace.escaped(parts[part].key))
            part = parts[part].parent
        }
        return segments.reversed().joined()
    }
}
#endif
