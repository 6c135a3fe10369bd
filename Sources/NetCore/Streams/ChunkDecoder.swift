/// An incremental decoder of chunked bodies and their trailer section (RFC 9112 section 7.1).
///
/// libcurl also parses the chunks, to find the end of the body, and is more lenient: every body that is accepted here
/// ends at the same byte for libcurl.
///
/// | state | accepts | then |
/// |---|---|---|
/// | size | up to 16 hexadecimal digits, below 2^63 | padding |
/// | padding | whitespace, `;`, CR LF | an extension; data, or after size 0 the trailers |
/// | extension | anything but control characters, up to CR LF | data, or after size 0 the trailers |
/// | data | as many bytes as the size says | CR LF, then size |
/// | trailers | lines, up to an empty one | over |
/// | over | – | remaining bytes belong to no response |
///
/// A trailer line may end in LF without CR, as a header line may (RFC 9112 section 2.2).
package struct ChunkDecoder: Sendable {
    /// The meaning of the next bytes.
    package enum Event: Equatable {
        /// Data of the body, as a range of the input.
        case data(Range<Int>)
        /// A line of the trailer section, including its line end; see ``ChunkDecoder/trailer``.
        case trailer
        /// The end of the body; the surplus bytes after it belong to no response.
        case over(surplus: Int)
        case fault(Fault)
        /// All input was read, and the body hasn't ended.
        case more
    }

    /// The reason why a body can't be decoded.
    package enum Fault: Equatable, Sendable {
        case size, sizeTooLarge, lineTooLong, sizeLine, dataEnd, trailerTooLong, trailerEnd
    }

    private enum Place {
        case size, padding, extensions, sizeLineFeed, data, dataEnd, dataLineFeed, trailers, trailerLineFeed,
            lastLineFeed, over
    }

    /// The maximum length of a trailer line that libcurl accepts.
    package static let trailerLimit = 4093
    /// The maximum length of a line with a size. The RFC recommends a limit for extensions without specifying one.
    package static let sizeLineLimit = 4096
    private static let digitLimit = 16

    private var place = Place.size
    /// The size of the chunk, then the rest of it.
    private var size: UInt64 = 0
    private var digits = 0
    private var lineCount = 0
    /// The last trailer line read, or the beginning of one.
    package private(set) var trailer: [UInt8] = []
    private var isTrailerWhole = false

    package init() {}

    /// True if the last chunk and the trailer section have been read.
    package var isOver: Bool { place == .over }

    /// Reads from `index` to the next event, and advances `index`.
    package mutating func next(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Event {
        while index < bytes.count {
            skipFrame(bytes, &index)
            if index == bytes.count { return .more }
            switch place {
            case .data:
                let start = index
                let count = min(bytes.count - start, Int(clamping: size))
                index = start + count
                size -= UInt64(count)
                if size == 0 { place = .dataEnd }
                return .data(start..<index)
            case .size, .padding, .extensions, .sizeLineFeed, .dataEnd, .dataLineFeed:
                if let fault = readFrame(bytes[index]) { return .fault(fault) }
                index += 1
            case .trailers, .trailerLineFeed, .lastLineFeed:
                if let event = readTrailer(bytes[index]) { return leave(event, bytes, &index) }
                index += 1
            case .over:
                defer { index = bytes.count }
                return .over(surplus: bytes.count - index)
            }
        }
        return .more
    }

    /// Reads the framing before the data of a chunk, if it's available completely and has no extension. A fast path,
    /// because servers may send one chunk per byte.
    private mutating func skipFrame(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) {
        guard place == .dataEnd || place == .size && digits == 0,
            let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        let end = bytes.count
        var next = index
        if place == .dataEnd {
            guard next + 2 < end, base[next] == 13, base[next + 1] == 10 else { return }
            next += 2
        }
        let start = next
        var size: UInt64 = 0
        while next < end {
            let byte = base[next]
            if byte >= 48, byte <= 57 {
                size = size << 4 | UInt64(byte - 48)
            } else if byte | 0x20 >= 97, byte | 0x20 <= 102 {
                size = size << 4 | UInt64((byte | 0x20) - 87)
            } else {
                break
            }
            next += 1
        }
        // Longer sizes are checked digit by digit.
        guard size > 0, next - start < 8, next + 1 < end, base[next] == 13, base[next + 1] == 10 else { return }
        (place, self.size, digits, lineCount) = (.data, size, 0, 0)
        index = next + 2
    }

    /// Reads one byte of the framing.
    private mutating func readFrame(_ byte: UInt8) -> Fault? {
        switch place {
        case .size: return readSize(byte)
        case .dataEnd, .dataLineFeed:
            if byte == 13, place == .dataEnd {
                place = .dataLineFeed
            } else if byte == 10, place == .dataLineFeed {
                (place, size, digits, lineCount) = (.size, 0, 0, 0)
            } else {
                return .dataEnd
            }
            return nil
        default: return readSizeLine(byte)
        }
    }

    private mutating func readSize(_ byte: UInt8) -> Fault? {
        let digit: UInt8
        switch byte {
        case 48...57: digit = byte - 48
        case 65...70: digit = byte - 55
        case 97...102: digit = byte - 87
        default:
            guard digits > 0 else { return .size }
            place = .padding
            return readSizeLine(byte)
        }
        guard digits < Self.digitLimit, size <= UInt64(Int64.max) >> 4 else { return .sizeTooLarge }
        size = size << 4 | UInt64(digit)
        digits += 1
        return nil
    }

    /// Reads one byte after the digits of a size.
    private mutating func readSizeLine(_ byte: UInt8) -> Fault? {
        if place == .sizeLineFeed {
            guard byte == 10 else { return .sizeLine }
            place = size == 0 ? .trailers : .data
            return nil
        }
        lineCount += 1
        guard lineCount + Self.digitLimit < Self.sizeLineLimit else { return .lineTooLong }
        switch byte {
        case 13: place = .sizeLineFeed
        case 32, 9: break
        case 59: place = .extensions
        case 0..<32, 127: return .sizeLine
        default: if place == .padding { return .sizeLine }
        }
        return nil
    }

    /// Reads one byte of the trailer section; returns nil in the middle of a line.
    private mutating func readTrailer(_ byte: UInt8) -> Event? {
        if isTrailerWhole {
            isTrailerWhole = false
            trailer.removeAll(keepingCapacity: true)
        }
        if byte == 10 {
            guard !trailer.isEmpty else {
                place = .over
                return .over(surplus: 0)
            }
            trailer.append(13)
            trailer.append(10)
            (place, isTrailerWhole) = (.trailers, true)
            return .trailer
        }
        guard place == .trailers else { return .fault(.trailerEnd) }
        if byte == 13 {
            place = trailer.isEmpty ? .lastLineFeed : .trailerLineFeed
            return nil
        }
        guard trailer.count < Self.trailerLimit else { return .fault(.trailerTooLong) }
        trailer.append(byte)
        return nil
    }

    /// Returns the event of the byte at `index`; consumes the byte unless it's a fault.
    private mutating func leave(_ event: Event, _ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Event {
        switch event {
        case .fault: return event
        case .over:
            let surplus = bytes.count - index - 1
            index = bytes.count
            return .over(surplus: surplus)
        default:
            index += 1
            return event
        }
    }
}
