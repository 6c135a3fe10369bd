/// Parses an event stream (HTML Standard section 9.2.6), regardless of chunk boundaries.
///
/// It does no I/O. A leading byte order mark is dropped. Lines end with CR, LF or CRLF. Bytes that aren't valid UTF-8
/// become U+FFFD. Unknown fields and comments are ignored. An event without data sets the last ID but isn't returned.
/// An event that is cut off by the end of the stream is dropped. Time is linear in the input.
///
///     var parser = ServerSentEventParser()
///     var input = Bytes("id: 7\ndata: hello\n\n".utf8)
///     while let event = try parser.next(from: &input) { print(event.data) }
public struct ServerSentEventParser: Sendable {
    /// The maximum size of one event in bytes: its data and the line being read.
    public let maximumEventBytes: Int
    /// The value of `Last-Event-ID` for a reconnect; empty for none.
    public private(set) var lastEventID: String
    /// The reconnection time set by the stream; nil if it has set none.
    public private(set) var reconnectionTime: Duration?
    /// The number of events that were returned.
    public private(set) var eventCount = 0

    private var lines: LineParser
    private var isFirstLine = true
    private var block = Block()
    /// The ID for the next event, updated immediately; ``lastEventID`` follows when the block ends.
    private var idBuffer: String

    /// The fields received since the last blank line.
    private struct Block {
        var event = ""
        var data: [UInt8] = []
        var hasData = false
        var retry: Duration?
    }

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - maximumEventBytes: The maximum size of one event in bytes; a larger one throws. Default 16 MiB.
    ///   - lastEventID: The ID until the stream sets one; after a reconnect, the last ID of the previous connection, as
    ///     in browsers.
    public init(maximumEventBytes: Int = 16 << 20, lastEventID: String = "") {
        self.maximumEventBytes = maximumEventBytes
        self.lastEventID = lastEventID
        idBuffer = lastEventID
        lines = LineParser(maximumLineBytes: maximumEventBytes)
    }

    /// Consumes bytes from the front of `input` up to the end of the next event. Returns nil if `input` was consumed
    /// without reaching the end of an event. Throws `.bodyTooLarge`.
    public mutating func next(from input: inout Bytes) throws(NetError) -> ServerSentEvent? {
        do {
            while var line = try lines.next(from: &input) {
                // The same limit as for an unfinished line: it must not depend on chunk boundaries.
                guard block.data.count + line.count <= maximumEventBytes else { throw tooLarge() }
                if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line[3..<line.count] }
                isFirstLine = false
                if !line.isEmpty {
                    try interpret(line)
                } else if let event = dispatch() {
                    return event
                }
            }
        } catch {
            throw tooLarge()
        }
        guard block.data.count + lines.pendingBytes <= maximumEventBytes else { throw tooLarge() }
        return nil
    }

    private mutating func interpret(_ line: Bytes) throws(NetError) {
        var name = line
        var value = Bytes()
        if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            name = line[0..<colon]
            value = line[(colon + 1)..<line.count]
            if value.first == UInt8(ascii: " ") { value = value[1..<value.count] }
        }
        if name.elementsEqual("data".utf8) {
            guard block.data.count + value.count < maximumEventBytes else { throw tooLarge() }
            if block.hasData { block.data.append(UInt8(ascii: "\n")) }
            value.withUnsafeBytes { block.data.append(contentsOf: $0) }
            block.hasData = true
        } else if name.elementsEqual("event".utf8) {
            block.event = String(decoding: value, as: UTF8.self)
        } else if name.elementsEqual("id".utf8) {
            if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
        } else if name.elementsEqual("retry".utf8), let time = Self.milliseconds(value) {
            block.retry = time
            reconnectionTime = time
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = idBuffer
        defer { block = Block() }
        guard block.hasData else { return nil }
        eventCount += 1
        return ServerSentEvent(
            event: block.event.isEmpty ? "message" : block.event, data: String(decoding: block.data, as: UTF8.self),
            lastEventID: lastEventID, retry: block.retry)
    }

    /// Returns nil unless all bytes are ASCII digits. A number beyond 64 bits becomes the largest one.
    private static func milliseconds(_ digits: Bytes) -> Duration? {
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            let (tens, over) = number.multipliedReportingOverflow(by: 10)
            let (sum, overSum) = tens.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            number = over || overSum ? .max : sum
        }
        return .milliseconds(number)
    }

    private func tooLarge() -> NetError {
        NetError(
            .bodyTooLarge, phase: .receiving,
            message: "event \(eventCount + 1) of the stream is larger than \(maximumEventBytes) bytes; "
                + "raise maximumEventBytes, or check that the server ends each event with a blank line")
    }
}
