internal import CZlib
internal import NetCore

/// Decodes a gzip or deflate stream with zlib.
///
/// A gzip stream may have several members (RFC 1952 section 2.2), followed by zeros. gzip and zlib have a checksum; raw
/// deflate has only an end mark.
package struct Inflater: StreamDecoder, ~Copyable {
    package enum Format {
        /// RFC 1952.
        case gzip
        /// The zlib format (RFC 1950) or raw deflate (RFC 1951), distinguished by the first two bytes.
        case deflate
    }

    private enum State {
        /// No input so far.
        case fresh
        case inside
        /// At the end of the stream, or of a member.
        case complete
    }

    private let format: Format
    private var stream: UnsafeMutablePointer<z_stream>?
    private var state = State.fresh
    /// The first byte of a deflate stream, until the second one decides on the format.
    private var firstByte: UInt8?
    package private(set) var mayHoldOutput = false

    package init(_ format: Format) {
        self.format = format
    }

    deinit { if let stream { net_zlib_free_inflater(stream) } }

    package mutating func decode(
        _ input: inout Slice<UnsafeRawBufferPointer>, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFailure) -> Int {
        while !input.isEmpty {
            if state == .complete, !(try beginsAnotherMember(&input)) { return 0 }
            guard let stream = try open(&input) else { return 0 }
            let written = try run(stream, &input, into: output)
            // Headers, checksums and padding produce no output.
            if written > 0 { return written }
        }
        return try flush(into: output)
    }

    package mutating func finish() throws(CodingFailure) {
        guard state != .inside, firstByte == nil else { throw .truncated }
    }

    /// Writes output that zlib still holds after all input was consumed.
    private mutating func flush(into output: UnsafeMutableRawBufferPointer) throws(CodingFailure) -> Int {
        guard state == .inside, let stream else { return 0 }
        var nothing = UnsafeRawBufferPointer(start: nil, count: 0)[...]
        return try run(stream, &nothing, into: output)
    }

    private mutating func run(
        _ stream: UnsafeMutablePointer<z_stream>, _ input: inout Slice<UnsafeRawBufferPointer>,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFailure) -> Int {
        let source = UnsafeRawBufferPointer(rebasing: input)
        let offered = UInt32(clamping: source.count)
        let room = UInt32(clamping: output.count)
        // zlib doesn't write through `next_in`; its type is const only with a macro.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: source.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = offered
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = room
        let result = inflate(stream, Z_NO_FLUSH)
        input = input.dropFirst(Int(offered - stream.pointee.avail_in))
        let written = Int(room - stream.pointee.avail_out)
        mayHoldOutput = stream.pointee.avail_out == 0
        switch result {
        case Z_OK, Z_BUF_ERROR: state = .inside
        case Z_STREAM_END: state = .complete
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .corrupt
        }
        return written
    }

    private mutating func beginsAnotherMember(
        _ input: inout Slice<UnsafeRawBufferPointer>
    ) throws(CodingFailure) -> Bool {
        // Padding with zeros after the last member is allowed, as by gzip(1).
        input = input.drop { $0 == 0 }
        guard let next = input.first else { return false }
        guard format == .gzip, next == 0x1f, let stream else { throw .trailingBytes }
        inflateReset(stream)
        state = .fresh
        return true
    }

    /// Returns the zlib stream; nil until the format is known.
    private mutating func open(
        _ input: inout Slice<UnsafeRawBufferPointer>
    ) throws(CodingFailure) -> UnsafeMutablePointer<z_stream>? {
        if let stream { return stream }
        switch format {
        case .gzip: stream = net_zlib_new_inflater(31)
        case .deflate:
            guard let first = firstByte ?? input.first else { return nil }
            if firstByte == nil {
                input = input.dropFirst()
                firstByte = first
            }
            guard let second = input.first else { return nil }
            firstByte = nil
            // RFC 1950 section 2.2: method 8, and the two bytes are a multiple of 31.
            let isZlib = first & 0x0f == 8 && (Int(first) << 8 + Int(second)) % 31 == 0
            stream = net_zlib_new_inflater(isZlib ? 15 : -15)
            if let stream { try feed(first, to: stream) }
        }
        guard let stream else { throw .outOfMemory }
        return stream
    }

    /// Passes zlib the byte that decided on the format.
    private mutating func feed(_ byte: UInt8, to stream: UnsafeMutablePointer<z_stream>) throws(CodingFailure) {
        try withUnsafeBytes(of: byte) { bytes throws(CodingFailure) in
            var input = bytes[...]
            var nowhere: UInt8 = 0
            // Neither the first byte of a header nor the first eight bits of a raw deflate block produce output.
            _ = try withUnsafeMutableBytes(of: &nowhere) { output throws(CodingFailure) in
                try run(stream, &input, into: output)
            }
        }
    }
}
