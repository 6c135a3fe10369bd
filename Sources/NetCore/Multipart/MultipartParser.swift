package import HTTPTypes

/// Parses a multipart body (RFC 2046 section 5.1), regardless of chunk boundaries.
///
/// It does no I/O. Bodies are returned as slices of the input if possible; it keeps only the head of a part, and the
/// possible beginning of a boundary. A boundary is at the beginning of a line that ends with CRLF; if other text
/// follows on the line, the whole line is text. The preamble before the first boundary and the epilogue after the
/// last are dropped.
package struct MultipartParser: Sendable {
    /// A parsed piece of the body.
    package enum Event: Sendable, Hashable {
        /// The beginning of a part, with its headers.
        case part(HTTPFields)
        /// A piece of the part's body, never empty.
        case body(Bytes)
        /// The end of the part.
        case partEnd
    }

    enum State: Sendable {
        case preamble, headers, body, epilogue
        /// After a possible boundary: the next bytes determine whether it is one. `endsPart` is false before the first.
        case boundary(endsPart: Bool)
    }

    /// The maximum size of one part's head in bytes.
    package let maximumHeaderBytes: Int
    /// The maximum number of parts.
    package let maximumParts: Int
    /// True if a part without a name in its `Content-Disposition` is malformed, as in `form-data`.
    package let requiresNames: Bool
    /// The number of parts that have begun.
    package private(set) var partCount = 0

    /// The delimiter: CRLF, two hyphens, and the boundary.
    private let delimiter: Bytes
    private var state = State.preamble
    /// The length of the delimiter's prefix that the last bytes match. A body begins as if after a line break.
    private var matched = 2
    /// The number of matched bytes that weren't in the input but were assumed.
    private var presumed = 2
    /// The bytes after a complete delimiter while it may still be a boundary.
    private var tail: [UInt8] = []
    private var head: [UInt8] = []

    /// The maximum number of blanks after a boundary; with more of them, the line is text.
    private static let maximumPadding = 256

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - boundary: The parameter `boundary` of the content type. Throws `.decoding` if it isn't a valid boundary.
    ///   - maximumHeaderBytes: The maximum size of one part's head; a larger one throws `.bodyTooLarge`. Default 16
    ///     KiB.
    ///   - maximumParts: The maximum number of parts; one more throws `.bodyTooLarge`. Default 10,000.
    ///   - requiresNames: True if a part without a name throws `.decoding`. Default false.
    package init(
        boundary: String, maximumHeaderBytes: Int = 16 << 10, maximumParts: Int = 10_000,
        requiresNames: Bool = false
    ) throws(NetError) {
        guard MultipartEncoder.isBoundary(boundary) else {
            throw MultipartHead.malformed(
                "the boundary of the content type is empty, too long, or has an invalid character")
        }
        self.maximumHeaderBytes = maximumHeaderBytes
        self.maximumParts = maximumParts
        self.requiresNames = requiresNames
        delimiter = Bytes("\r\n--\(boundary)".utf8)
    }

    /// Consumes bytes from the front of `input` up to the next event. Returns nil if `input` was consumed without one.
    ///
    /// Throws `.decoding` for a malformed head, `.bodyTooLarge` above a limit.
    package mutating func next(from input: inout Bytes) throws(NetError) -> Event? {
        while !input.isEmpty {
            switch state {
            case .preamble: _ = text(from: &input)
            case .body: if let text = text(from: &input) { return .body(text) }
            case .headers: if let fields = try fields(from: &input) { return .part(fields) }
            case .boundary(let endsPart):
                switch followUp(&input) {
                case .undecided: break
                case .text(let text): if endsPart { return .body(text) }
                case .delimiter: if endsPart { return .partEnd }
                }
            case .epilogue: input = Bytes()
            }
        }
        return nil
    }

    /// Marks the end of the input. Throws `.decoding` if the closing boundary is missing.
    package func finish() throws(NetError) {
        switch state {
        case .epilogue: return
        case .preamble, .boundary(endsPart: false):
            throw MultipartHead.malformed("it ends without the boundary that its content type declares")
        case .headers, .body, .boundary(endsPart: true):
            throw MultipartHead.malformed("it ends in part \(partCount), without its closing boundary")
        }
    }
}

extension MultipartParser {
    /// Returns bytes that don't belong to a delimiter; nil if a complete delimiter was found, or if more input is
    /// needed.
    private mutating func text(from input: inout Bytes) -> Bytes? {
        if matched == 0 {
            let length = lengthOfText(input)
            if length > 0 {
                defer { input = input[length..<input.count] }
                return input[0..<length]
            }
        }
        var taken = 0
        while taken < input.count, matched < delimiter.count, input[taken] == delimiter[matched] {
            taken += 1
            matched += 1
        }
        input = input[taken..<input.count]
        if matched == delimiter.count {
            if case .body = state { state = .boundary(endsPart: true) } else { state = .boundary(endsPart: false) }
            tail = []
            return nil
        }
        guard !input.isEmpty else { return nil }
        // The only CR in the delimiter is its first byte, so another delimiter can't begin within the matched bytes.
        return mismatch()
    }

    /// Returns the matched bytes, which turned out to be text.
    private mutating func mismatch() -> Bytes? {
        defer { (matched, presumed) = (0, 0) }
        return matched > presumed ? delimiter[presumed..<matched] : nil
    }

    /// Returns the number of bytes before the first one that may begin a delimiter.
    private func lengthOfText(_ input: Bytes) -> Int {
        input.withUnsafeBytes { bytes in
            delimiter.withUnsafeBytes { delimiter in
                var index = 0
                while index < bytes.count {
                    if bytes[index] == UInt8(ascii: "\r") {
                        let length = min(delimiter.count, bytes.count - index)
                        if (1..<length).allSatisfy({ bytes[index + $0] == delimiter[$0] }) { return index }
                    }
                    index += 1
                }
                return index
            }
        }
    }

    private enum FollowUp {
        case undecided, delimiter
        case text(Bytes)
    }

    /// Checks the bytes after a delimiter: `--`, or blanks and CRLF, make it a boundary; anything else makes it text.
    private mutating func followUp(_ input: inout Bytes) -> FollowUp {
        guard let byte = input.first else { return .undecided }
        let blanks = tail.allSatisfy { $0 == 32 || $0 == 9 }
        switch (byte, tail.last) {
        case (UInt8(ascii: "-"), UInt8(ascii: "-")):
            input = input[1..<input.count]
            state = .epilogue
            return .delimiter
        case (10, 13):
            input = input[1..<input.count]
            state = .headers
            head = []
            return .delimiter
        case (UInt8(ascii: "-"), nil),
            (13, _) where blanks, (32, _) where blanks, (9, _) where blanks:
            guard tail.count < Self.maximumPadding else { break }
            tail.append(byte)
            input = input[1..<input.count]
            return .undecided
        default: break
        }
        let text = Bytes([UInt8](delimiter[presumed..<delimiter.count]) + tail)
        if case .boundary(endsPart: true) = state { state = .body } else { state = .preamble }
        (matched, presumed, tail) = (0, 0, [])
        return .text(text)
    }

    /// Returns the headers of a part once its head is complete.
    private mutating func fields(from input: inout Bytes) throws(NetError) -> HTTPFields? {
        var taken = 0
        while taken < input.count {
            head.append(input[taken])
            taken += 1
            guard head.count <= maximumHeaderBytes else {
                throw NetError(
                    .bodyTooLarge, phase: .receiving,
                    message: "the head of part \(partCount + 1) is longer than \(maximumHeaderBytes) bytes")
            }
            guard head.last == 10, head.count == 2 ? head.first == 13 : head.suffix(4).elementsEqual("\r\n\r\n".utf8)
            else { continue }
            guard partCount < maximumParts else {
                throw NetError(
                    .bodyTooLarge, phase: .receiving, message: "the body has more than \(maximumParts) parts")
            }
            partCount += 1
            input = input[taken..<input.count]
            (state, matched, presumed) = (.body, 2, 2)
            let fields = try MultipartHead.headers(head.dropLast(2), part: partCount)
            if requiresNames, (fields.disposition?.name ?? "").isEmpty {
                throw MultipartHead.malformed("part \(partCount) has no name, which form-data requires")
            }
            return fields
        }
        input = Bytes()
        return nil
    }
}
