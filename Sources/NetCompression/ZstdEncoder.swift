#if Compression
internal import CZstd
package import NetCore

/// Encodes one Zstandard frame with a checksum.
package struct ZstdEncoder: StreamEncoder, ~Copyable {
    private let stream: OpaquePointer

    /// Creates an encoder; nil if memory runs out.
    ///
    /// - Parameter level: 1 to 19; values outside are clamped. Higher levels use larger windows than a content coding
    ///   may have (RFC 9659).
    package init?(level: Int) {
        guard let stream = ZSTD_createCStream() else { return nil }
        self.stream = stream
        ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, CInt(min(max(level, 1), 19)))
        ZSTD_CCtx_setParameter(stream, ZSTD_c_checksumFlag, 1)
    }

    deinit { ZSTD_freeCStream(stream) }

    package mutating func encode(_ bytes: Bytes, isLast: Bool) throws(CodingFailure) -> Bytes {
        try bytes.withUnsafeBytes { source throws(CodingFailure) in
            var offered = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
            var pieces: [Bytes] = []
            var count = 0
            while true {
                let storage = ByteStorage(capacity: min(max(source.count / 2, 512), 64 << 10))
                var room = ZSTD_outBuffer(dst: storage.base, size: storage.capacity, pos: 0)
                let left = ZSTD_compressStream2(stream, &room, &offered, isLast ? ZSTD_e_end : ZSTD_e_continue)
                guard ZSTD_isError(left) == 0 else { throw .outOfMemory }
                if room.pos > 0 { pieces.append(Bytes(storage: storage, count: room.pos)) }
                count += room.pos
                if isLast ? left == 0 : offered.pos == offered.size && room.pos < room.size { break }
            }
            return pieces.isEmpty ? Bytes() : Bytes.join(pieces, count: count)
        }
    }
}
#endif
