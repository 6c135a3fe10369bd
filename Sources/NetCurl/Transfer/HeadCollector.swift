#if os(Linux)
internal import HTTPTypes
internal import NetCore

/// Gathers header lines into one block: interim responses are told apart, trailers kept apart, everything bounded.
///
/// | line | at the start | in a head | after an interim head | after the head |
/// |---|---|---|---|---|
/// | status line | a head begins | a field | the next head begins | a trailer |
/// | field | fault | kept, or a fault | fault | a trailer |
/// | another line | fault | fault, by libcurl or here | fault | fault |
/// | empty line | fault | 1xx: interim, else the head is complete | fault | nothing |
///
/// A field is a fault when it is a length that cannot be trusted, a coding of the transfer that is not `chunked`, frames the
/// message and has a blank before its colon or goes on in the next line, or is the first and begins with a blank. libcurl has
/// read such a field by then, each line by itself, and has taken it for another than it is.
struct HeadCollector {
    /// What a line brought.
    enum Action: Equatable {
        case none
        /// An interim response is complete; ``head()`` has it until the next line.
        case interim
        case head
        case fault(Fault)
    }

    /// Why the response cannot be used.
    enum Fault: Equatable {
        case tooLarge, tooManyInterim, notHTTP, leadingBlank, noColon, blankInFraming, foldInFraming, invalidLength,
            unknownCoding, switchedProtocols
    }

    private enum Place { case start, fields, afterInterim, complete }

    let limits: HeadLimits
    private var lines: [UInt8]
    private var place = Place.start
    private(set) var status = HTTPResponse.Status.ok
    private(set) var version = ""
    private var seen = 0
    private var interimCount = 0
    private var trailerLines: [UInt8] = []
    private var mayHaveContentEncoding = false
    /// What the head says of the length of its body, and of how it is coded.
    var length: Int64?
    var coding: TransferCoding?
    /// Whether `Connection` says that the connection ends.
    var saysClose = false
    /// Whether the field of the line before frames the message.
    var isWithinFraming = false
    /// Whether ``preview(_:)`` had the beginning of a line and not its end.
    private var isWithinLine = false

    /// Collects into `buffer`, which ``takeBuffer()`` gives back: memory that is at hand costs a small response less.
    init(limits: HeadLimits = HeadLimits(), buffer: [UInt8] = []) {
        self.limits = limits
        lines = buffer
    }

    /// Whether the head of the response is there, not that of an interim one.
    var isComplete: Bool { place == .complete }

    /// Whether the body comes in chunks, where there is one.
    var isChunked: Bool { coding == .chunked }

    /// Whether the head says that no body follows, whatever the method.
    var isEmpty: Bool { status.code == 204 || status.code == 304 || length == 0 && coding == nil }

    /// Whether nothing may follow on the connection, in cases that libcurl does not see: with a coding of the transfer in a
    /// response of HTTP/1.0, or with both lengths, the framing counts as faulty (RFC 9112 sections 6.1 and 6.3).
    var endsConnection: Bool { coding != nil && (length != nil || version == "1.0") || saysClose }

    /// Whether the response is over by what its head says, with so many bytes of its body.
    func hasAnnounced(_ received: Int64) -> Bool {
        isComplete && coding == nil && (length ?? (status.code == 204 ? 0 : nil)) == received
    }

    /// Whether a field came since the last status line.
    var hasField: Bool { !lines.isEmpty && place == .fields }

    /// Whether anything of a response came.
    var hasBegun: Bool { place != .start }

    /// The emptied memory, for the next response.
    mutating func takeBuffer() -> [UInt8] {
        var buffer: [UInt8] = []
        swap(&buffer, &lines)
        if buffer.capacity > 16 << 10 { return [] }
        buffer.removeAll(keepingCapacity: true)
        return buffer
    }

    /// Takes one line with its line end, as libcurl hands it over.
    mutating func receive(_ line: UnsafeRawBufferPointer) -> Action {
        seen += line.count
        guard seen <= limits.bytes else { return .fault(.tooLarge) }
        switch place {
        case .fields:
            return line.count > 2 || (line.first != 13 && line.first != 10) ? field(line) : end()
        case .start, .afterInterim:
            lines.removeAll(keepingCapacity: true)
            mayHaveContentEncoding = false
            (length, coding, saysClose, isWithinFraming) = (nil, nil, false, false)
            guard readStatusLine(line) else { return .fault(.notHTTP) }
            place = .fields
        case .complete:
            if line.count > 2 {
                guard isField(line) else { return .fault(.noColon) }
                trailerLines.append(contentsOf: line)
            }
        }
        return .none
    }

    /// Looks at a line, or a piece of one, before libcurl does; nil where that may have it.
    mutating func preview(_ piece: UnsafeRawBufferPointer) -> Fault? {
        defer { isWithinLine = piece.last != 10 }
        return !isWithinLine && place == .fields && isFoldedFirst(piece) ? .leadingBlank : nil
    }

    /// Whether the line goes on with one before it, and there is none (RFC 9112 section 2.2).
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

    /// Looks for the fields that frame the message. A look at few bytes is cheaper than a search in every response.
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

    /// Whether the line has a colon, or goes on with one before it.
    private func isField(_ line: UnsafeRawBufferPointer) -> Bool {
        line.first == 32 || line.first == 9 || line.contains(UInt8(ascii: ":"))
    }

    private mutating func end() -> Action {
        // Nobody has asked for another protocol here (RFC 9110 section 15.2.2).
        guard status.code != 101 else { return .fault(.switchedProtocols) }
        guard status.code < 200 else {
            place = .complete
            return .head
        }
        interimCount += 1
        place = .afterInterim
        return interimCount > limits.interimResponses ? .fault(.tooManyInterim) : .interim
    }

    /// The head, once complete; or the interim one that was told of last. `mutating` so that no caller copies the collector.
    mutating func head() -> ResponseHead {
        // A copy of what is there: the buffer goes to the next response.
        let block = lines.withUnsafeBufferPointer { [UInt8]($0) }
        return ResponseHead(
            status: status, version: version,
            block: HeaderBlock(block, mayHaveContentEncoding: mayHaveContentEncoding))
    }

    /// The trailer fields, if any came.
    var trailers: HTTPFields? { trailerLines.isEmpty ? nil : HeaderBlock(trailerLines).fields }
}

extension HeadCollector {
    /// `HTTP/1.1 200 OK` or `HTTP/2 200`.
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
        // To make and check a string costs more than to compare with the usual one.
        if code == 200, reason.isEmpty || reason.starts(with: "OK") && reason.count == 2 {
            status = reason.isEmpty ? Self.okWithoutReason : .ok
        } else {
            status = HTTPResponse.Status(code: code, reasonPhrase: String(decoding: reason, as: UTF8.self))
        }
        return true
    }

    /// The version of the protocol as text; nil for one that nobody speaks. libcurl writes the last two itself.
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
