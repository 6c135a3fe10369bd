/// Splits bytes into lines at LF, CR or CRLF, wherever the chunks are cut.
///
/// It does no I/O and keeps only the unfinished line. A CR ends its line at once; a LF right after it belongs to it,
/// even in the next chunk. Each byte is looked at once.
///
///     var parser = LineParser()
///     var input = Bytes("one\r\ntwo\rthr".utf8)
///     while let line = try parser.next(from: &input) { print(String(decoding: line, as: UTF8.self)) }
///     print(parser.finish() ?? Bytes())  // the rest, "thr"
public struct LineParser: Sendable {
    /// What ends a line.
    package enum Separator: UInt8, Sendable {
        /// LF, CR or CRLF.
        case anyLineEnd = 0
        case lineFeed = 10
        /// RS, which begins a record of a JSON text sequence (RFC 7464).
        case recordSeparator = 30
    }

    /// The most bytes of one line, its end not counted.
    public let maximumLineBytes: Int
    private let separator: Separator
    private var pending: [UInt8] = []
    private var skipsLineFeed = false

    /// Makes a parser; a line of more than `maximumLineBytes` (default 16 MiB) throws.
    public init(maximumLineBytes: Int = 16 << 20) {
        self.init(maximumLineBytes: maximumLineBytes, separator: .anyLineEnd)
    }

    /// Makes a parser of lines that end in another way.
    package init(maximumLineBytes: Int, separator: Separator) {
        self.maximumLineBytes = maximumLineBytes
        self.separator = separator
    }

    /// Bytes of the line that has not ended yet.
    package var pendingBytes: Int { pending.count }

    /// Takes the bytes of one line from the front of `input`, its end too; nil when all of `input` is taken and no line
    /// ended. Throws `.bodyTooLarge`.
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

    /// The last line, where it has no end; nil when there is none.
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
