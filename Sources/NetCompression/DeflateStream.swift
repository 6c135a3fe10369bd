internal import CZlib

/// Compresses a sequence of messages with zlib to raw DEFLATE blocks (RFC 1951), each flushed to a byte boundary.
///
/// The blocks of a message may refer to earlier blocks, until ``reset()``.
///
/// `@unchecked Sendable`: the stream has one owner at a time, which calls one function at a time.
package final class DeflateStream: @unchecked Sendable {
    /// The maximum number of bytes passed to zlib in one call, since zlib counts them in 32 bits.
    private static let pieceLimit = 1 << 30

    private let stream: UnsafeMutablePointer<z_stream>
    private var rest = UnsafeRawBufferPointer(start: nil, count: 0)

    /// Creates a stream; nil if memory runs out.
    ///
    /// - Parameters:
    ///   - level: The effort, 1 to 9.
    ///   - windowBits: The window's size as a power of two, 9 to 15.
    ///   - memoryLevel: The memory of the hash table, 1 to 9.
    package init?(level: Int, windowBits: Int, memoryLevel: Int) {
        guard let stream = net_zlib_new_raw_deflater(CInt(level), CInt(windowBits), CInt(memoryLevel)) else {
            return nil
        }
        self.stream = stream
    }

    deinit { net_zlib_free_deflater(stream) }

    /// Forgets the data compressed so far.
    package func reset() { deflateReset(stream) }

    /// Begins to compress bytes, which must keep their address until `write` has returned the last of them.
    package func begin(_ source: UnsafeRawBufferPointer) { rest = source }

    /// Writes compressed bytes and returns their number. Call it again, with more room, as long as it fills the output.
    package func write(into output: UnsafeMutableRawBufferPointer) -> Int {
        let room = UInt32(clamping: output.count)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = room
        repeat {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceLimit))
            // zlib doesn't write through `next_in`; its type is const only with a macro.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: piece.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(piece.count)
            deflate(stream, piece.count == rest.count ? Z_SYNC_FLUSH : Z_NO_FLUSH)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count - Int(stream.pointee.avail_in)))
        } while !rest.isEmpty && stream.pointee.avail_out > 0
        return Int(room - stream.pointee.avail_out)
    }
}
