internal import NetCore
internal import NetCrypto

/// The IDs of spans that no request has sent: the same for the same entry, so that what is sent twice is one span.
enum OTLPSpanID {
    /// Returns the first eight bytes of the SHA-256 of the entry's ID, its kind, and a number of 32 bits, big-endian.
    ///
    /// - Parameter number: 0 for the entry itself, else the number of an attempt.
    static func derived(from uid: CallID, _ kind: StoredItem.Kind, number: Int = 0) -> UInt64 {
        let count = UInt32(truncatingIfNeeded: number)
        var source = uid.bytes + [UInt8(kind.rawValue)]
        withUnsafeBytes(of: count.bigEndian) { source.append(contentsOf: $0) }
        let digest = RunningHash.digest(of: Bytes(source), .sha256)
        // A system that forbids SHA-256 is not known; the ID of the entry is unique too.
        let id = digest?.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } ?? uid.low ^ UInt64(count)
        return max(1, id)
    }
}
