package import NetCore

/// A keyed hash of the names that an app has given to logins, for files that outlive the process: it shows whether the
/// same user is logged in, and not which one. The key is random and part of the value, so that the values of one user
/// differ.
package struct SealedNames: Sendable, Hashable, Codable {
    private let key: String
    private let hash: String

    /// Nil for no names.
    package init?(_ names: [String], random: NetRandom) {
        key = random.next().paddedHexadecimal + random.next().paddedHexadecimal
        guard !names.isEmpty, let hash = Self.hash(names, key) else { return nil }
        self.hash = hash
    }

    /// Reads ``text``; nil for another one.
    package init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        (key, hash) = (String(parts[0]), String(parts[1]))
    }

    /// The key and the hash, in hexadecimal.
    package var text: String { "\(key):\(hash)" }

    /// Returns true for the same names.
    package func contains(exactly names: [String]) -> Bool { !names.isEmpty && Self.hash(names, key) == hash }

    private static func hash(_ names: [String], _ key: String) -> String? {
        // Each name ends with a byte that no text contains.
        let bytes = names.reduce(into: [UInt8]()) { $0 += Array($1.utf8) + [0xFF] }
        return RunningHash.authentication(of: Bytes(bytes), key: Bytes(key.utf8))?.hexadecimal
    }
}

extension SealedNames: CustomStringConvertible, CustomReflectable {
    /// No parts, because a name may be a person's email address.
    package var description: String { "the hash of names" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
