package import NetCore

/// A recorded body: its bytes, and for an event stream when each piece came.
package struct RecordedBody: Sendable, Hashable {
    /// A piece of a stream and the pause before it.
    package struct Piece: Sendable, Hashable {
        package var bytes: Bytes
        package var delay: Duration

        package init(_ bytes: Bytes, after delay: Duration = .zero) {
            self.bytes = bytes
            self.delay = delay
        }
    }

    /// The pieces in order; one without a pause for a body whose timing means nothing.
    package var pieces: [Piece]
    /// Whether the recording stopped at its limit before the body ended.
    package var isCut: Bool
    /// Why the body broke off; nil for one that ended well.
    package var failure: RecordedExchange.Failure?

    package init(pieces: [Piece], isCut: Bool = false, failure: RecordedExchange.Failure? = nil) {
        self.pieces = pieces
        self.isCut = isCut
        self.failure = failure
    }

    package init(_ bytes: Bytes = Bytes()) {
        self.init(pieces: bytes.isEmpty ? [] : [Piece(bytes)])
    }

    /// The number of bytes.
    package var count: Int { pieces.reduce(0) { $0 + $1.bytes.count } }

    /// The whole.
    package var bytes: Bytes { pieces.isEmpty ? Bytes() : Bytes.join(pieces.map(\.bytes), count: count) }

    /// Whether it is nothing at all.
    package var isAbsent: Bool { count == 0 && !isCut && failure == nil }

    /// Whether the pauses between the pieces matter.
    package var isTimed: Bool { pieces.count > 1 || pieces.contains { $0.delay > .zero } }
}
