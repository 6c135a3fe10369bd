public import NetCore

/// The form in which a store of your own can keep an entry: bytes, without the entry's key and its body.
///
///     func restored(_ entry: CacheEntry) -> CacheEntry? { CacheEntry(encoded: entry.encoded(), key: entry.key) }
extension CacheEntry {
    /// Returns the entry without its key and its body, with a checksum. The form belongs to this version of the package:
    /// another one may not read it.
    public func encoded() -> Bytes { CacheEntryCoding.encode([self], key: Self.noKey) }

    /// Reads an encoded entry; nil if a byte isn't as it was written, or if another version wrote it.
    ///
    /// - Parameter key: The key under which the store has found the entry. It must be the one of the entry that was
    ///   encoded, login included: otherwise one login gets another's response.
    public init?(encoded: Bytes, key: CacheKey) {
        guard let (_, entries) = CacheEntryCoding.decode(encoded), entries.count == 1, var entry = entries.first else {
            return nil
        }
        entry.key = key
        self = entry
    }

    private static var noKey: CacheKey { CacheKey(stored: "", partition: "", identity: .everyone) }
}
