#if Compression
internal import CZstd

/// Decodes a Zstandard stream: a sequence of frames, including skippable ones (RFC 8878 section 3).
package struct ZstdDecoder: StreamDecoder, ~Copyable {
    private let stream: OpaquePointer?
    /// True within a frame.
    private var isInside = false
    private var hasWholeFrame = false
    private var header = ZstdFrameHeader()
    package private(set) var mayHoldOutput = false

    package init() {
        stream = ZSTD_createDStream()
    }

    deinit { if let stream { ZSTD_freeDStream(stream) } }

    package mutating func decode(
        _ input: inout Slice<UnsafeRawBufferPointer>, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFailure) -> Int {
        guard let stream else { throw .outOfMemory }
        guard !input.isEmpty || mayHoldOutput else { return 0 }
        let source = UnsafeRawBufferPointer(rebasing: input)
        var offered = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
        var room = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        repeat {
            try look(at: source[offered.pos...])
            // A hint for the size of the next input; 0 at the end of a frame.
            let hint = ZSTD_decompressStream(stream, &room, &offered)
            guard ZSTD_isError(hint) == 0 else {
                throw ZSTD_getErrorCode(hint) == ZSTD_error_memory_allocation ? .outOfMemory : .corrupt
            }
            isInside = hint != 0
            if !isInside {
                hasWholeFrame = true
                header.removeAll()
            }
        } while room.pos == 0 && offered.pos < offered.size
        input = input.dropFirst(offered.pos)
        mayHoldOutput = isInside && room.pos == room.size
        return room.pos
    }

    package mutating func finish() throws(CodingFailure) {
        guard !isInside else { throw .truncated }
    }

    private mutating func look(at input: Slice<UnsafeRawBufferPointer>) throws(CodingFailure) {
        do {
            try header.receive(input)
        } catch {
            throw hasWholeFrame && error == .corrupt ? .trailingBytes : error
        }
    }
}
#endif
