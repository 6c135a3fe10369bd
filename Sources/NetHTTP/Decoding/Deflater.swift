internal import CZlib
internal import NetCore

/// Writes one gzip stream with zlib.
struct Deflater: StreamEncoder, ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>

    /// `level` is 1 to 9, what lies outside is the nearer of the two. nil when there is no memory left.
    init?(level: Int) {
        guard let stream = net_zlib_new_deflater(CInt(min(max(level, 1), 9)), 31) else { return nil }
        self.stream = stream
    }

    deinit { net_zlib_free_deflater(stream) }

    mutating func encode(_ bytes: Bytes, isLast: Bool) -> Bytes {
        bytes.withUnsafeBytes { source in
            // zlib does not write through `next_in`; its type says so only with a macro.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: source.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(clamping: source.count)
            var pieces: [Bytes] = []
            var count = 0
            repeat {
                let storage = ByteStorage(capacity: min(max(source.count / 2, 512), 64 << 10))
                stream.pointee.next_out = storage.base.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(storage.capacity)
                _ = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                let written = storage.capacity - Int(stream.pointee.avail_out)
                if written > 0 { pieces.append(Bytes(storage: storage, count: written)) }
                count += written
            } while stream.pointee.avail_out == 0
            return pieces.isEmpty ? Bytes() : Bytes.join(pieces, count: count)
        }
    }
}
