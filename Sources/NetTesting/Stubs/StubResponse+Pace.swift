internal import NetCore

extension StubResponse {
    /// The same, its body no faster than so many bytes per second: of `rate` bytes the last comes a second after the head,
    /// on the clock of the transport or server. A rate below 1 is 1.
    ///
    /// The bytes come evenly, in pieces of a tenth of a second. To slow a whole connection down, head and all, put a
    /// `TCPProxy` before the server.
    ///
    ///     let stub = Stub(.get, "/film", StubResponse.bytes(repeatElement(0, count: 50_000)).throttled(to: 10_000))
    public func throttled(to rate: Int) -> StubResponse {
        var copy = self
        copy.bytesPerSecond = max(1, rate)
        return copy
    }

    /// How a body is slowed down; nil where it is not.
    package var pace: StubPace? {
        if let pause = fault?.pausePerByte { return StubPace(pieceBytes: 1, pausePerByte: pause) }
        return bytesPerSecond.map { StubPace(bytesPerSecond: max(1, $0)) }
    }

    /// Whether it is a value that goes out at once: no pause, no fault, nothing made on the way, and not large.
    var isPlain: Bool {
        guard delay <= .zero, fault == nil, trailers == nil, bytesPerSecond == nil, let whole = body.whole else {
            return false
        }
        return whole.count <= Self.maximumPlainBytes && headers[.contentLength] == nil && headers[.connection] == nil
    }

    /// What a socket's send buffer takes at once, as a rule.
    private static let maximumPlainBytes = 16 << 10
}

/// The size of the pieces of a body, and the pause before each.
package struct StubPace: Sendable, Hashable {
    package let pieceBytes: Int
    private let pausePerByte: Duration

    init(pieceBytes: Int, pausePerByte: Duration) {
        self.pieceBytes = pieceBytes
        self.pausePerByte = pausePerByte
    }

    init(bytesPerSecond rate: Int) {
        self.init(pieceBytes: max(1, rate / 10), pausePerByte: .seconds(1) / rate)
    }

    /// The pause before a piece of that size.
    package func pause(before count: Int) -> Duration { pausePerByte * count }
}
