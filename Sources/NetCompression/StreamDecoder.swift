package import NetCore

/// Decodes one compressed stream incrementally.
///
/// Truncated and malformed input are typed failures; libcurl's own decoder accepts half a gzip stream as complete.
package protocol StreamDecoder: ~Copyable {
    /// True if the output buffer was filled and more output may be available without further input.
    var mayHoldOutput: Bool { get }

    /// Decodes `input` into `output` and removes the consumed part from `input`.
    ///
    /// Returns the number of bytes written; zero if the input is exhausted.
    mutating func decode(
        _ input: inout Slice<UnsafeRawBufferPointer>, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFailure) -> Int

    /// Ends the input; throws `.truncated` if the stream isn't complete. No input at all is an empty stream.
    mutating func finish() throws(CodingFailure)
}

extension StreamDecoder where Self: ~Copyable {
    /// Returns the next decoded piece, 1 byte to 64 KiB; nil if the input is exhausted.
    package mutating func piece(of input: inout Bytes) throws(CodingFailure) -> Bytes? {
        guard !input.isEmpty || mayHoldOutput else { return nil }
        // Text compresses to about a quarter. A small piece shouldn't hold a large block.
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
        // Streams that arrive one byte at a time end here, one after another: collected pieces would hold a block for
        // each byte.
        guard storage.capacity > 4096, written < storage.capacity / 16 else { return piece }
        return piece.withUnsafeBytes { Bytes(copying: $0) }
    }
}
