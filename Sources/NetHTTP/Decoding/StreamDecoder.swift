internal import NetCore

/// Reads one body in a content coding, as far as there is input and room.
///
/// What is missing or wrong is a typed failure: libcurl's own decoding takes half a gzip stream for the whole.
protocol StreamDecoder: ~Copyable {
    /// Whether the room was filled, and there may be more without further input.
    var mayHoldOutput: Bool { get }

    /// Decodes from `input`, whose read part is taken off, into `output`; returns the number of bytes written. Zero means
    /// that the input is used up.
    mutating func decode(
        _ input: inout Slice<UnsafeRawBufferPointer>, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFailure) -> Int

    /// Says whether the stream is whole, now that nothing more comes. No input at all is an empty body.
    mutating func finish() throws(CodingFailure)
}

extension StreamDecoder where Self: ~Copyable {
    /// The next decoded piece, never empty, of at most 64 KiB; nil when the input is used up.
    mutating func piece(of input: inout Bytes) throws(CodingFailure) -> Bytes? {
        guard !input.isEmpty || mayHoldOutput else { return nil }
        // About four times the input, as text compresses: a small event does not hold a large block.
        let storage = ByteStorage(capacity: min(max(input.count * 4, 512), 64 << 10))
        let (written, left) = try input.withUnsafeBytes { source throws(CodingFailure) -> (Int, Int) in
            var rest = source[...]
            let output = UnsafeMutableRawBufferPointer(start: storage.base, count: storage.capacity)
            let written = try decode(&rest, into: output)
            return (written, rest.count)
        }
        input = input[(input.count - left)..<input.count]
        guard written > 0 else { return nil }
        let piece = Bytes(storage: storage, count: written)
        // A stream of many that hold a byte each ends here after each: whoever collects would keep a block for a byte.
        guard storage.capacity > 4096, written < storage.capacity / 16 else { return piece }
        return piece.withUnsafeBytes { Bytes(copying: $0) }
    }
}
