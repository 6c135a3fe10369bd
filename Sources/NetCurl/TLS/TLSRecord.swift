#if os(Linux)
/// The bytes of one TLS record that are passed to libcurl. Used on the loop's thread only.
final class TLSRecord {
    static let capacity = 16 << 10

    let base = UnsafeMutableRawPointer.allocate(byteCount: TLSRecord.capacity, alignment: 1)
    var start = 0
    private var end = 0

    deinit { base.deallocate() }

    /// The number of pending bytes.
    var count: Int { end - start }

    /// Copies as many bytes as fit.
    func fill(_ bytes: UnsafeRawBufferPointer) {
        start = 0
        end = min(bytes.count, Self.capacity)
        UnsafeMutableRawBufferPointer(start: base, count: end).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    }
}
#endif
