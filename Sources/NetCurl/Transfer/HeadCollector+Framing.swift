#if os(Linux)

/// The transfer coding of a body. Only `chunked` is requested, so no other is accepted.
enum TransferCoding: Equatable {
    case chunked
    /// No coding: the body ends with the connection. This coding is no longer registered.
    case identity
}

/// The headers that determine where a message ends. Each is interpreted as libcurl interprets it, or the response is
/// rejected.
extension HeadCollector {
    /// Returns true if the line is the named header; nil if there is whitespace between the name and the colon: libcurl
    /// treats such a line as a different header, other implementations as this one (RFC 9112 section 5.1).
    private func isOf(_ name: StaticString, _ line: UnsafeRawBufferPointer) -> Bool? {
        let count = name.utf8CodeUnitCount
        guard line.count > count,
            name.withUTF8Buffer({ name in name.indices.allSatisfy { line[$0] | 0x20 == name[$0] | 0x20 } })
        else { return false }
        switch line[count] {
        case UInt8(ascii: ":"): return true
        case 32, 9: return nil
        default: return false
        }
    }

    /// Reads `Connection`. libcurl itself handles `close`, except together with `keep-alive` in HTTP/1.0.
    mutating func readConnection(_ name: StaticString, _ line: UnsafeRawBufferPointer) -> Fault? {
        guard let isConnection = isOf(name, line) else { return .blankInFraming }
        guard isConnection else { return nil }
        isWithinFraming = true
        var tokens = FieldTokens(line, after: name.utf8CodeUnitCount + 1)
        while let token = tokens.next() { if Self.is("close", token) { saysClose = true } }
        return nil
    }

    /// Reads `Transfer-Encoding`, which must be `chunked`, once (RFC 9112 section 6.1).
    mutating func readCoding(_ line: UnsafeRawBufferPointer) -> Fault? {
        let name: StaticString = "transfer-encoding"
        guard let isCoding = isOf(name, line) else { return .blankInFraming }
        guard isCoding else { return nil }
        isWithinFraming = true
        var tokens = FieldTokens(line, after: name.utf8CodeUnitCount + 1)
        while let token = tokens.next() {
            guard coding == nil else { return .unknownCoding }
            if Self.is("chunked", token) {
                coding = .chunked
            } else if Self.is("identity", token) {
                coding = .identity
            } else {
                return .unknownCoding
            }
        }
        guard coding == .chunked || coding == .identity && length == nil else { return .unknownCoding }
        return nil
    }

    /// Reads `Content-Length`, which must be a number below 2^63 and the same if it's repeated (RFC 9110 section 8.6).
    mutating func readLength(_ line: UnsafeRawBufferPointer) -> Fault? {
        let name: StaticString = "content-length"
        guard let isLength = isOf(name, line) else { return .blankInFraming }
        guard isLength else { return nil }
        isWithinFraming = true
        guard coding != .identity else { return .unknownCoding }
        return hasLength(line, from: name.utf8CodeUnitCount + 1) ? nil : .invalidLength
    }

    private mutating func hasLength(_ line: UnsafeRawBufferPointer, from start: Int) -> Bool {
        var place = start
        while true {
            while place < line.count, line[place] == 32 || line[place] == 9 { place += 1 }
            let digits = place
            var number: Int64 = 0
            while place < line.count, line[place] >= 48, line[place] <= 57 {
                let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
                let (sum, isAbove) = tens.addingReportingOverflow(Int64(line[place] - 48))
                if isTooLarge || isAbove { return false }
                number = sum
                place += 1
            }
            guard place > digits, length == nil || length == number else { return false }
            length = number
            while place < line.count, [32, 9, 13, 10].contains(line[place]) { place += 1 }
            if place == line.count { return true }
            guard line[place] == UInt8(ascii: ",") else { return false }
            place += 1
        }
    }

    private static func `is`(_ name: StaticString, _ token: UnsafeRawBufferPointer) -> Bool {
        guard token.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { name in name.indices.allSatisfy { token[$0] | 0x20 == name[$0] } }
    }
}

/// The members of a list in a header (RFC 9110 section 5.6.1), without whitespace around them and without empty ones.
private struct FieldTokens {
    private let line: UnsafeRawBufferPointer
    private var place: Int
    private let end: Int

    init(_ line: UnsafeRawBufferPointer, after start: Int) {
        self.line = line
        place = start
        var end = line.count
        // Only the line end: a carriage return within the line is part of a member.
        if end > start, line[end - 1] == 10 { end -= 1 }
        if end > start, line[end - 1] == 13 { end -= 1 }
        self.end = end
    }

    mutating func next() -> UnsafeRawBufferPointer? {
        while place < end, [32, 9, 44].contains(line[place]) { place += 1 }
        guard place < end else { return nil }
        let start = place
        while place < end, line[place] != 44 { place += 1 }
        var last = place
        while line[last - 1] == 32 || line[last - 1] == 9 { last -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[start..<last])
    }
}
#endif
