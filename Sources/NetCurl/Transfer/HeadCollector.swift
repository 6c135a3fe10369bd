#if os(Linux)
internal import HTTPTypes
internal import NetCore

/// Collects header lines into a block: recognizes interim responses, keeps trailers separate, and limits the size.
///
/// | line | at the start | in a head | after an interim head | after the head |
/// |---|---|---|---|---|
/// | status line | a head begins | a header | the next head begins | a trailer |
/// | header | fault | kept, or a fault | fault | a trailer |
/// | another line | fault | fault, by libcurl or here | fault | fault |
/// | empty line | fault | 1xx: interim, else the head is complete | fault | nothing |
///
/// A header is a fault if it's an invalid length, if it's a transfer coding other than `chunked`, if it frames the
/// message and has whitespace before its colon or a continuation line, or if it's the first one and begins with
/// whitespace. By then, libcurl has already read such a header, line by line, and has interpreted it differently.
struct HeadCollector {
    /// The result of a line.
    enum Action: Equatable {
        case none
        /// An interim response is complete; ``head()`` returns it until the next line.
        case interim
        case head
        case fault(Fault)
    }

    /// The reason why a response is rejected.
    enum Fault: Equatable {
        case tooLarge, tooManyInterim, notHTTP, leadingBlank, noColon, blankInFraming, foldInFraming, invalidLength,
            unknownCoding, switchedProtocols
    }

    private enum Place { case start, headers, afterInterim, complete }

    let limits: HeadLimits
    private var lines: [UInt8]
    private var place = Place.start
    private(set) var status = HTTPResponse.Status.ok
    private(set) var version = ""
    private var seen = 0
    private var interimCount = 0
    private var trailerLines: [UInt8] = []
    private var mayHaveContentEncoding = false
    /// The length of the body according to the head, and its transfer coding.
    var length: Int64?
    var coding: TransferCoding?
    /// True if `Connection` announces the end of the connection.
    var saysClose = false
    /// True if the previous line is a header that frames the message.
    var isWithinFraming = false
    /// True if ``preview(_:)`` got the beginning of a line but not its end.
    private var isWithinLine = false

    /// Creates a collector that uses `buffer`, which ``takeBuffer()`` returns: reused memory is cheaper for a small
    /// response.
    init(limits: HeadLimits = HeadLimits(), buffer: [UInt8] = []) {
        self.limits = limits
        lines = buffer
    }

    /// True if the head of the final response is complete, not only that of an interim one.
    var isComplete: Bool { place == .complete }

    /// True if the body, if there is one, is chunked.
    var isChunked: Bool { coding == .chunked }

    /// True if the head specifies that there is no body, whatever the method.
    var isEmpty: Bool { status.code == 204 || status.code == 304 || length == 0 && coding == nil }

    /// True if the connection must not be reused, in cases that libcurl doesn't detect: with a transfer coding in an
    /// HTTP/1.0 response, or with both a coding and a length, the framing counts as faulty (RFC 9112 sections 6.1 and
    /// 6.3).
    var endsConnection: Bool { coding != nil && (length != nil || version == "1.0") || saysClose }

    /// True if, according to its head, the response is complete with `received` bytes of its body.
    func hasAnnounced(_ received: Int64) -> Bool {
        isComplete && coding == nil && (length ?? (status.code == 204 ? 0 : nil)) == received
    }

    /// True if a header arrived since the last status line.
    var hasField: Bool { !lines.isEmpty && place == .headers }

    /// True if a status line arrived, but not the end of its head.
    var isWithinHead: Bool { place == .headers }

    /// True if any part of a response arrived.
    var hasBegun: Bool { place != .start }

    /// Returns the emptied memory, for the next response.
    mutating func takeBuffer() -> [UInt8] {
        var buffer: [UInt8] = []
        swap(&buffer, &lines)
        if buffer.capacity > 16 << 10 { return [] }
        buffer.removeAll(keepingCapacity: true)
        return buffer
    }

    /// Takes one line including its line end, as libcurl delivers it.
    mutating func receive(_ line: UnsafeRawBufferPointer) -> Action {
        seen += line.count
        guard seen <= limits.bytes else { return .fault(.tooLarge) }
        switch place {
        case .headers:
            return line.count > 2 || (line.first != 13 && line.first != 10) ? field(line) : end()
        case .start, .afterInterim:
            lines.removeAll(keepingCapacity: true)
            mayHaveContentEncoding = false
            (length, coding, saysClose, isWithinFraming) = (nil, nil, false, false)
            guard readStatusLine(line) else { return .fault(.notHTTP) }
            place = .headers
        case .complete:
            if line.count > 2 {
                guard isField(line) else { return .fault(.noColon) }
                trailerLines.append(contentsOf: line)
            }
        }
        return .none
    }

    /// Checks a line, or part of one, before libcurl parses it; nil if libcurl may parse it.
    mutating func preview(_ piece: UnsafeRawBufferPointer) -> Fault? {
        defer { isWithinLine = piece.last != 10 }
        return !isWithinLine && place == .headers && isFoldedFirst(piece) ? .leadingBlank : nil
    }

    /// True if the line is a continuation although there is no previous line (RFC 9112 section 2.2).
    private func isFoldedFirst(_ line: UnsafeRawBufferPointer) -> Bool {
        lines.isEmpty && (line.first == 32 || line.first == 9)
    }

    private mutating func field(_ line: UnsafeRawBufferPointer) -> Action {
        if isFoldedFirst(line) { return .fault(.leadingBlank) }
        if CurlFeatures.ignoresLinesWithoutColon, !isField(line) { return .fault(.noColon) }
        if let fault = readFraming(line) { return .fault(fault) }
        if lines.capacity == 0 { lines.reserveCapacity(512) }
        lines.append(contentsOf: line)
        return .none
    }

    /// Reads the headers that frame the message. Checking a few bytes is cheaper than a search in every response.
    private mutating func readFraming(_ line: UnsafeRawBufferPointer) -> Fault? {
        guard let first = line.first else { return nil }
        if first == 32 || first == 9 { return isWithinFraming ? .foldInFraming : nil }
        isWithinFraming = false
        guard line.count > 11 else { return nil }
        switch first | 0x20 {
        case UInt8(ascii: "c"):
            if line[7] != UInt8(ascii: "-") { return readConnection("connection", line) }
            // "content-", then e or l.
            if line.count > 15, line[8] | 0x20 == UInt8(ascii: "e") { mayHaveContentEncoding = true }
            return line.count > 15 && line[8] | 0x20 == UInt8(ascii: "l") ? readLength(line) : nil
        case UInt8(ascii: "t"): return readCoding(line)
        case UInt8(ascii: "p"): return readConnection("proxy-connection", line)
        default: return nil
        }
    }

    /// True if the line has a colon, or continues a previous one.
    private func isField(_ line: UnsafeRawBufferPointer) -> Bool {
        line.first == 32 || line.first == 9 || line.contains(UInt8(ascii: ":"))
    }

    private mutating func end() -> Action {
        // Requests never ask for another protocol (RFC 9110 section 15.2.2).
        guard status.code != 101 else { return .fault(.switchedProtocols) }
        guard status.code < 200 else {
            place = .complete
            return .head
        }
        interimCount += 1
        place = .afterInterim
        return interimCount > limits.interimResponses ? .fault(.tooManyInterim) : .interim
    }

    /// Returns the head once it's complete, or that of the last interim response. `mutating`, so that no caller copies
    /// the collector.
    mutating func head() -> ResponseHead {
        // A copy: the buffer is reused for the next response.
        let block = lines.withUnsafeBufferPointer { [UInt8]($0) }
        return ResponseHead(
            status: status, version: version,
            block: HeaderBlock(block, mayHaveContentEncoding: mayHaveContentEncoding))
    }

    /// The trailers; nil if there are none.
    var trailers: HTTPFields? { trailerLines.isEmpty ? nil : HeaderBlock(trailerLines).headers }
}

extension HeadCollector {
    /// Parses a status line such as `HTTP/1.1 200 OK` or `HTTP/2 200`; returns false if it's invalid.
    private mutating func readStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
        var end = line.count
        while end > 0, line[end - 1] == 13 || line[end - 1] == 10 || line[end - 1] == 32 { end -= 1 }
        var place = 5
        guard end > place, line.starts(with: "HTTP/") else { return false }
        while place < end, line[place] != 32 { place += 1 }
        guard place < end else { return false }
        let number = UnsafeRawBufferPointer(rebasing: line[5..<place])
        place += 1
        let digits = place
        var code = 0
        while place < end, line[place] >= 48, line[place] <= 57 {
            code = code * 10 + Int(line[place] - 48)
            place += 1
            guard place - digits <= 3 else { return false }
        }
        guard place - digits == 3, code >= 100, place == end || line[place] == 32 else { return false }
        while place < end, line[place] == 32 { place += 1 }
        let reason = UnsafeRawBufferPointer(rebasing: line[place..<end])
        guard let version = Self.version(number) else { return false }
        self.version = version
        // Creating and validating a string costs more than comparing with the usual reason.
        if code == 200, reason.isEmpty || reason.starts(with: "OK") && reason.count == 2 {
            status = reason.isEmpty ? Self.okWithoutReason : .ok
        } else {
            status = HTTPResponse.Status(code: code, reasonPhrase: String(decoding: reason, as: UTF8.self))
        }
        return true
    }

    /// Returns the protocol version as text; nil for an unknown one. libcurl itself writes status lines with the last
    /// two.
    private static func version(_ number: UnsafeRawBufferPointer) -> String? {
        if number.count == 3 { return number.starts(with: "1.1") ? "1.1" : number.starts(with: "1.0") ? "1.0" : nil }
        guard number.count == 1 else { return nil }
        return number.starts(with: "2") ? "2" : number.starts(with: "3") ? "3" : nil
    }

    private static let okWithoutReason = HTTPResponse.Status(code: 200)
}

extension UnsafeRawBufferPointer {
    fileprivate func starts(with text: StaticString) -> Bool {
        guard let base = baseAddress, count >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            for index in text.indices where base.load(fromByteOffset: index, as: UInt8.self) != text[index] {
                return false
            }
            return true
        }
    }
}
#endif
