/// Splits bytes into lines at LF, CR or CRLF, regardless of chunk boundaries.
///
/// It does no I/O and keeps only the unfinished line. A CR ends its line immediately; an LF right after it belongs to
/// the same line break, even in the next chunk. Each byte is examined once.
///
///     var parser = LineParser()
///     var input = Bytes("one\r\ntwo\rthr".utf8)
///     while let line = try parser.next(from: &input) { print(String(decoding: line, as: UTF8.self)) }
///     print(parser.finish() ?? Bytes())  // the rest, "thr"
public struct LineParser: Sendable {
    /// The separator of lines.
    package enum Separator: UInt8, Sendable {
        /// LF, CR or CRLF.
        case anyLineEnd = 0
        case lineFeed = 10
        /// RS, which begins a record of a JSON text sequence (RFC 7464).
        case recordSeparator = 30
    }

    /// The maximum size of a line in bytes, not including the line break.
    public let maximumLineBytes: Int
    private let separator: Separator
    private var pending: [UInt8] = []
    private var skipsLineFeed = false

    /// Creates a parser. A line of more than `maximumLineBytes` throws. Default 16 MiB.
    public init(maximumLineBytes: Int = 16 << 20) {
        self.init(maximumLineBytes: maximumLineBytes, separator: .anyLineEnd)
    }

    /// Creates a parser of lines with another separator.
    package init(maximumLineBytes: Int, separator: Separator) {
        self.maximumLineBytes = maximumLineBytes
        self.separator = separator
    }

    /// The number of bytes of the unfinished line.
    package var pendingBytes: Int { pending.count }

    /// Consumes the bytes of one line and its line break from the front of `input`. Returns nil if `input` was
    /// consumed without reaching the end of a line. Throws `.bodyTooLarge`.
    public mutating func next(from input: inout Bytes) throws(NetError) -> Bytes? {
        if skipsLineFeed, let first = input.first {
            if first == UInt8(ascii: "\n") { input = input[1..<input.count] }
            skipsLineFeed = false
        }
        let length = lengthOfLine(input)
        guard length + pending.count <= maximumLineBytes else { throw tooLong() }
        guard length < input.count else {
            append(input)
            input = Bytes()
            return nil
        }
        skipsLineFeed = separator == .anyLineEnd && input[length] == UInt8(ascii: "\r")
        defer { input = input[(length + 1)..<input.count] }
        guard !pending.isEmpty else { return input[0..<length] }
        append(input[0..<length])
        defer { pending.removeAll(keepingCapacity: pending.capacity <= 65_536) }
        return Bytes(pending)
    }

    /// Returns the last line if it isn't terminated; nil if there is none.
    public mutating func finish() -> Bytes? {
        defer { pending = [] }
        return pending.isEmpty ? nil : Bytes(pending)
    }

    private mutating func append(_ bytes: Bytes) {
        bytes.withUnsafeBytes { pending.append(contentsOf: $0) }
    }

    private func lengthOfLine(_ input: Bytes) -> Int {
        let (first, second): (UInt8, UInt8) =
            separator == .anyLineEnd ? (10, 13) : (separator.rawValue, separator.rawValue)
        return input.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
            var index = 0
            while index < bytes.count, base[index] != first, base[index] != second { index += 1 }
            return index
        }
    }

    private func tooLong() -> NetError {
        NetError(
            .bodyTooLarge, phase: .receiving,
            message: "a line of the body is longer than \(maximumLineBytes) bytes; raise the limit or read the bytes")
    }
}
