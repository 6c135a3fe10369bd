internal import CZlib

/// Decompresses raw DEFLATE blocks (RFC 1951), however the input is split.
///
/// A block that is marked as the last doesn't end the stream (RFC 7692 section 7.2.3.4): the next block continues with
/// the same window.
///
/// `@unchecked Sendable`: the stream has one owner at a time, which calls one function at a time.
package final class InflateStream: @unchecked Sendable {
    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates a stream; nil if memory runs out.
    ///
    /// - Parameter windowBits: The window's size as a power of two, 9 to 15.
    package init?(windowBits: Int) {
        guard let stream = net_zlib_new_inflater(-CInt(windowBits)) else { return nil }
        self.stream = stream
    }

    deinit { net_zlib_free_inflater(stream) }

    /// Forgets the data decompressed so far.
    package func reset() { inflateReset(stream) }

    /// The result of one step.
    package struct Step {
        package var consumed: Int
        package var written: Int
        /// The failure after the written bytes; the stream can't be used any more then.
        package var failure: CodingFailure?
    }

    /// Decompresses bytes. Call it again as long as it fills the output, even without input.
    package func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Step {
        let offered = UInt32(clamping: input.count)
        let room = UInt32(clamping: output.count)
        // zlib doesn't write through `next_in`; its type is const only with a macro.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = offered
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = room
        var result: CInt
        repeat {
            result = CZlib.inflate(stream, Z_SYNC_FLUSH)
            if result == Z_STREAM_END { continueAfterLastBlock() }
        } while result == Z_STREAM_END && stream.pointee.avail_in > 0 && stream.pointee.avail_out > 0
        var step = Step(
            consumed: Int(offered - stream.pointee.avail_in), written: Int(room - stream.pointee.avail_out))
        switch result {
        case Z_OK, Z_BUF_ERROR, Z_STREAM_END: break
        case Z_MEM_ERROR: step.failure = .outOfMemory
        default: step.failure = .corrupt
        }
        return step
    }

    /// Starts over with the window of the previous blocks.
    private func continueAfterLastBlock() {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32 << 10) { window in
            var count: UInt32 = 0
            inflateGetDictionary(stream, window.baseAddress, &count)
            inflateReset(stream)
            inflateSetDictionary(stream, window.baseAddress, count)
        }
    }
}
