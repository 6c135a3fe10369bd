/// The captured part of a body: its bytes and, for a stream of events, the time between the pieces.
public struct CapturedBody: Sendable, Hashable {
    /// A piece of a stream and the pause before it.
    public struct Piece: Sendable, Hashable {
        /// The bytes.
        public var bytes: Bytes
        /// The time since the previous piece or, for the first one, since the head.
        public var delay: Duration

        package init(_ bytes: Bytes, after delay: Duration = .zero) {
            self.bytes = bytes
            self.delay = delay
        }
    }

    /// The pieces in order; a single one without a delay if the timing isn't kept.
    public var pieces: [Piece]
    /// True if ``bytes`` isn't the whole body: the limit was reached, its media type isn't captured, or it was still
    /// being sent.
    public var isCut: Bool
    /// The reason why the body ended early; nil if it ended normally. A body that its reader abandoned has the code
    /// `cancelled`.
    public var failure: CapturedExchange.Failure?
    /// The number of bytes that passed; nil if only the number of kept bytes is known.
    package var passed: Int64?
    /// The path of the file that was sent as the whole body; nil for any other body.
    package var file: String?

    package init(pieces: [Piece], isCut: Bool = false, failure: CapturedExchange.Failure? = nil, passed: Int64? = nil) {
        self.pieces = pieces
        self.isCut = isCut
        self.failure = failure
        self.passed = passed
    }

    package init(_ bytes: Bytes = Bytes()) {
        self.init(pieces: bytes.isEmpty ? [] : [Piece(bytes)])
    }

    /// The number of bytes that were sent or read, including bytes that weren't kept.
    public var count: Int64 { passed ?? Int64(keptCount) }

    /// The number of bytes in the pieces.
    package var keptCount: Int { pieces.reduce(0) { $0 + $1.bytes.count } }

    /// The kept bytes. Redaction may have changed their number.
    public var bytes: Bytes { pieces.isEmpty ? Bytes() : Bytes.join(pieces.map(\.bytes), count: keptCount) }

    /// True if there is no body.
    package var isAbsent: Bool { keptCount == 0 && !isCut && failure == nil }

    /// True if the delays between the pieces are meaningful.
    public var isTimed: Bool { pieces.count > 1 || pieces.contains { $0.delay > .zero } }

    /// Returns the body without its bytes.
    package var withoutBytes: CapturedBody {
        guard keptCount > 0 else { return self }
        var body = CapturedBody(pieces: [], isCut: true, failure: failure, passed: count)
        body.file = file
        return body
    }
}
