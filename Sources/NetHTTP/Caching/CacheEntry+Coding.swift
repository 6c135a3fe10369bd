public import NetCore

/// Encodes an entry as bytes for custom stores, without the entry's key and its body.
///
///     func restored(_ entry: CacheEntry) -> CacheEntry? { CacheEntry(encoded: entry.encoded(), key: entry.key) }
extension CacheEntry {
    /// Returns the entry without its key and its body, with a checksum. The format belongs to this version of the
    /// package; another version may not be able to read it.
    public func encoded() -> Bytes { CacheEntryCoding.encode([self], key: Self.noKey) }

    /// Decodes an encoded entry; nil if the bytes are damaged, or if another version wrote them.
    ///
    /// - Parameters:
    ///   - encoded: The result of ``encoded()``.
    ///   - key: The key under which the store found the entry. It must be the key of the entry that was encoded, login
    ///     included: otherwise one login gets another's response.
    public init?(encoded: Bytes, key: CacheKey) {
        guard let (_, entries) = CacheEntryCoding.decode(encoded), entries.count == 1, var entry = entries.first else {
            return nil
        }
        entry.key = key
        self = entry
    }

    private static var noKey: CacheKey { CacheKey(stored: "", partition: "", identity: .everyone) }
}
