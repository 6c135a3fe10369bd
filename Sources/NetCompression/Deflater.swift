internal import CZlib
package import NetCore

/// Encodes one gzip stream with zlib.
package struct Deflater: StreamEncoder, ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    /// The maximum number of bytes passed to zlib in one call.
    private let pieceLimit: Int

    /// Creates an encoder; nil if memory runs out.
    ///
    /// - Parameters:
    ///   - level: 1 to 9; values outside are clamped.
    ///   - pieceLimit: The maximum number of bytes passed to zlib in one call, since zlib counts them in 32 bits.
    package init?(level: Int, pieceLimit: Int = Int(UInt32.max)) {
        guard let stream = net_zlib_new_deflater(CInt(min(max(level, 1), 9)), 31) else { return nil }
        self.stream = stream
        self.pieceLimit = pieceLimit
    }

    deinit { net_zlib_free_deflater(stream) }

    /// Begins another stream; cheaper than another encoder, which takes 260 KB of memory.
    package mutating func reset() { deflateReset(stream) }

    package mutating func encode(_ bytes: Bytes, isLast: Bool) -> Bytes {
        var written = Written()
        bytes.withUnsafeBytes { source in
            var rest = source[...]
            repeat {
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(pieceLimit))
                rest = rest.dropFirst(piece.count)
                encode(piece, isLast && rest.isEmpty ? Z_FINISH : Z_NO_FLUSH, to: &written)
            } while !rest.isEmpty
        }
        return written.pieces.isEmpty ? Bytes() : Bytes.join(written.pieces, count: written.count)
    }

    private struct Written {
        var pieces: [Bytes] = []
        var count = 0
    }

    private func encode(_ source: UnsafeRawBufferPointer, _ flush: CInt, to written: inout Written) {
        // zlib doesn't write through `next_in`; its type is const only with a macro.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: source.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(source.count)
        repeat {
            let storage = ByteStorage(capacity: min(max(source.count / 2, 512), 64 << 10))
            stream.pointee.next_out = storage.base.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(storage.capacity)
            _ = deflate(stream, flush)
            let count = storage.capacity - Int(stream.pointee.avail_out)
            if count > 0 { written.pieces.append(Bytes(storage: storage, count: count)) }
            written.count += count
        } while stream.pointee.avail_out == 0
    }
}
