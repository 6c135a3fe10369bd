/// Suggests a target for a dangling pointer: the most similar name beside it, or the same name among the components.
struct ReferenceSuggestions {
    /// The number of names that may still be compared; keeps a document full of dangling references fast.
    private var budget = 10_000
    private static let longestName = 80

    /// Returns `; did you mean '#/components/schemas/Pet'?`, or an empty string.
    mutating func hint(
        for pointer: JSONPointer, segment: String, after found: ReferenceResolver.Found, isRoot: Bool
    ) -> String {
        if let name = nearest(to: segment, among: found.node.members) {
            return phrase(found.pointer.appending(name))
        }
        guard isRoot, let last = pointer.segments.last else { return "" }
        let components = found.file.root["components"]?.members ?? []
        for kind in components {
            let place = JSONPointer(["components", kind.key])
            let names = ReferenceResolver.Found(node: kind.value, file: found.file, pointer: place)
            if names.child(last) != nil { return phrase(place.appending(last)) }
        }
        for kind in components {
            if let name = nearest(to: last, among: kind.value.members) {
                return phrase(JSONPointer(["components", kind.key, name]))
            }
        }
        return ""
    }

    private func phrase(_ pointer: JSONPointer) -> String {
        "; did you mean '#\(pointer.text)'?"
    }

    private mutating func nearest(to name: String, among members: [Node.Member]) -> String? {
        guard budget > 0, name.utf8.count <= Self.longestName else { return nil }
        let wanted = Array(name.lowercased().utf8)
        var best: (name: String, distance: Int)?
        let limit = max(1, wanted.count / 3)
        for candidate in members.lazy.map(\.key) where candidate.utf8.count <= Self.longestName {
            guard budget > 0 else { break }
            guard abs(candidate.utf8.count - wanted.count) <= limit else { continue }
            budget -= 1
            let distance = Self.distance(wanted, Array(candidate.lowercased().utf8))
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Returns the number of bytes to add, remove or change (Levenshtein distance).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (place, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = place + 1
            for (column, other) in right.enumerated() {
                let substituted = diagonal + (byte == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
