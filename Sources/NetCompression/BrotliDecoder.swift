#if Compression
internal import CBrotli

/// Decodes a brotli stream (RFC 7932), which has an end mark but no checksum. Its window takes up to 16 MiB.
package struct BrotliDecoder: StreamDecoder, ~Copyable {
    private let decoder = BrotliDecoderCreateInstance(nil, nil, nil)
    private var hasBegun = false
    private var hasEnded = false
    package private(set) var mayHoldOutput = false

    package init() {}

    deinit { if let decoder { BrotliDecoderDestroyInstance(decoder) } }

    package mutating func decode(
        _ input: inout Slice<UnsafeRawBufferPointer>, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFailure) -> Int {
        guard let decoder else { throw .outOfMemory }
        guard !hasEnded else {
            if input.isEmpty { return 0 }
            throw .trailingBytes
        }
        let source = UnsafeRawBufferPointer(rebasing: input)
        var next = source.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var available = source.count
        var target = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var room = output.count
        if available > 0 { hasBegun = true }
        let result = BrotliDecoderDecompressStream(decoder, &available, &next, &room, &target, nil)
        input = input.dropFirst(source.count - available)
        mayHoldOutput = result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
        let written = output.count - room
        switch result {
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT, BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: break
        case BROTLI_DECODER_RESULT_SUCCESS:
            hasEnded = true
            // Zero bytes written would mean that all input was consumed.
            if written == 0, !input.isEmpty { throw .trailingBytes }
        default:
            let code = BrotliDecoderGetErrorCode(decoder).rawValue
            throw code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES.rawValue
                && code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES.rawValue ? .outOfMemory : .corrupt
        }
        return written
    }

    package mutating func finish() throws(CodingFailure) {
        guard hasEnded || !hasBegun else { throw .truncated }
    }
}
#endif
