internal import NetCore
internal import NetCrypto

/// The IDs of spans that no request has sent. They are derived from the entry, so that a span sent twice keeps its ID.
enum OTLPSpanID {
    /// Returns the first eight bytes of the SHA-256 of the entry's ID, its kind, and a 32-bit number, big-endian.
    ///
    /// - Parameter number: 0 for the entry itself, otherwise the number of an attempt.
    static func derived(from uid: CallID, _ kind: StoredItem.Kind, number: Int = 0) -> UInt64 {
        let count = UInt32(truncatingIfNeeded: number)
        var source = uid.bytes + [UInt8(kind.rawValue)]
        withUnsafeBytes(of: count.bigEndian) { source.append(contentsOf: $0) }
        let digest = RunningHash.digest(of: Bytes(source), .sha256)
        // No known system forbids SHA-256; without it, the entry's ID is unique too.
        let id = digest?.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } ?? uid.low ^ UInt64(count)
        return max(1, id)
    }
}
