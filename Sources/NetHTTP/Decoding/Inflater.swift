internal import CZlib
internal import NetCore

/// Reads one gzip or deflate stream with zlib, as far as there is input and room.
///
/// A gzip stream may have several members (RFC 1952 section 2.2), and zeros after the last. Both formats carry a checksum;
/// raw deflate has none, only an end mark.
struct Inflater: StreamDecoder, ~Copyable {
    enum Format {
        case gzip
        /// zlib's format, or raw deflate.
        case deflate
    }

    private enum State {
        /// Nothing was read.
        case fresh
        case inside
        /// A whole stream or member was read.
        case complete
    }

    private let format: Format
    private var stream: UnsafeMutablePointer<z_stream>?
    private var state = State.fresh
    /// The first byte of a deflate stream: with the second it tells which of the two formats it is.
    private var firstByte: UInt8?
    private(set) var mayHoldOutput = false

    init(_ format: Format) {
        self.format = format
    }

    deinit { if let stream { net_zlib_free_inflater(stream) } }

    mutating func decode(
        _ input: inout Slice<UnsafeRawBufferPointer>, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFailure) -> Int {
        while !input.isEmpty {
            if state == .complete, !(try beginsAnotherMember(&input)) { return 0 }
            guard let stream = try open(&input) else { return 0 }
            let written = try run(stream, &input, into: output)
            // Some input only moves the state on: headers, checksums, padding.
            if written > 0 { return written }
        }
        return try flush(into: output)
    }

    mutating func finish() throws(CodingFailure) {
        guard state != .inside, firstByte == nil else { throw .truncated }
    }

    /// Output that zlib still holds although all input is read.
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
        // zlib does not write through `next_in`; its type says so only with a macro.
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
        // Tape-like padding after the last member is allowed; gzip(1) skips it too.
        input = input.drop { $0 == 0 }
        guard let next = input.first else { return false }
        guard format == .gzip, next == 0x1f, let stream else { throw .trailingBytes }
        inflateReset(stream)
        state = .fresh
        return true
    }

    /// The stream, once enough is known to make it.
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

    /// Gives zlib the byte that was looked at already.
    private mutating func feed(_ byte: UInt8, to stream: UnsafeMutablePointer<z_stream>) throws(CodingFailure) {
        try withUnsafeBytes(of: byte) { bytes throws(CodingFailure) in
            var input = bytes[...]
            var nowhere: UInt8 = 0
            // A header's first byte yields nothing, and neither do the first eight bits of a raw deflate block.
            _ = try withUnsafeMutableBytes(of: &nowhere) { output throws(CodingFailure) in
                try run(stream, &input, into: output)
            }
        }
    }
}
