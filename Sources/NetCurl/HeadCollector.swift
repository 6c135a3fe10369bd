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
/// A field is a fault when it is a length that cannot be trusted, frames the body and has a blank before its colon, or is the
/// first and begins with a blank.
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
        case tooLarge, tooManyInterim, notHTTP, leadingBlank, noColon, blankInFraming, invalidLength,
            switchedProtocols
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
    private var length: Int64?
    /// Whether ``preview(_:)`` had the beginning of a line and not its end.
    private var isWithinLine = false

    /// Collects into `buffer`, which ``takeBuffer()`` gives back: memory that is at hand costs a small response less.
    init(limits: HeadLimits = HeadLimits(), buffer: [UInt8] = []) {
        self.limits = limits
        lines = buffer
    }

    /// Whether the head of the response is there, not that of an interim one.
    var isComplete: Bool { place == .complete }

    /// Whether the response is over by what its head says, with so many bytes of its body.
    func hasAnnounced(_ received: Int64) -> Bool {
        isComplete && (length ?? (status.code == 204 ? 0 : nil)) == received
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
            length = nil
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
        // "content-", then e or l: a look at three bytes is cheaper than a search in every response. A line that goes on
        // with the one before does not matter: the name stands on the first.
        if line.count > 15, line[0] | 0x20 == UInt8(ascii: "c"), line[7] == UInt8(ascii: "-") {
            if line[8] | 0x20 == UInt8(ascii: "e") {
                mayHaveContentEncoding = true
            } else if line[8] | 0x20 == UInt8(ascii: "l") {
                if hasBlank(after: "content-length", line) { return .fault(.blankInFraming) }
                if !readLength(line) { return .fault(.invalidLength) }
            }
        } else if line.count > 17, line[0] | 0x20 == UInt8(ascii: "t"), hasBlank(after: "transfer-encoding", line) {
            return .fault(.blankInFraming)
        }
        if lines.capacity == 0 { lines.reserveCapacity(512) }
        lines.append(contentsOf: line)
        return .none
    }

    /// Whether the line has a colon, or goes on with one before it.
    private func isField(_ line: UnsafeRawBufferPointer) -> Bool {
        line.first == 32 || line.first == 9 || line.contains(UInt8(ascii: ":"))
    }

    /// Whether a blank follows the name, where the colon belongs: libcurl takes it for another field, others for that one
    /// (RFC 9112 section 5.1).
    private func hasBlank(after name: StaticString, _ line: UnsafeRawBufferPointer) -> Bool {
        let count = name.utf8CodeUnitCount
        guard line.count > count, line[count] == 32 || line[count] == 9 else { return false }
        return name.withUTF8Buffer { name in name.indices.allSatisfy { line[$0] | 0x20 == name[$0] | 0x20 } }
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
        guard place - digits == 3, code >= 100 else { return false }
        while place < end, line[place] == 32 { place += 1 }
        let reason = UnsafeRawBufferPointer(rebasing: line[place..<end])
        // To make and check two strings costs more than to compare with the usual ones.
        version = number.count == 3 && number.starts(with: "1.1") ? "1.1" : String(decoding: number, as: UTF8.self)
        if code == 200, reason.isEmpty || reason.starts(with: "OK") && reason.count == 2 {
            status = reason.isEmpty ? Self.okWithoutReason : .ok
        } else {
            status = HTTPResponse.Status(code: code, reasonPhrase: String(decoding: reason, as: UTF8.self))
        }
        return true
    }

    private static let okWithoutReason = HTTPResponse.Status(code: 200)

    /// Checks a `Content-Length`: a number below 2^63, the same wherever it is said again (RFC 9110 section 8.6).
    private mutating func readLength(_ line: UnsafeRawBufferPointer) -> Bool {
        let name: StaticString = "content-length:"
        guard name.withUTF8Buffer({ name in name.indices.allSatisfy { line[$0] | 0x20 == name[$0] | 0x20 } }) else {
            return true
        }
        var place = name.utf8CodeUnitCount
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
