internal import NetCore

extension StubResponse {
    /// Returns a copy whose body is sent at no more than `rate` bytes per second, on the clock of the transport or
    /// server: the last of `rate` bytes arrives one second after the head. A rate below 1 counts as 1.
    ///
    /// The bytes are spread evenly, in pieces of a tenth of a second. To slow down a whole connection, including the
    /// head, put a `TCPProxy` in front of the server.
    ///
    ///     let stub = Stub(.get, "/film", StubResponse.bytes(repeatElement(0, count: 50_000)).throttled(to: 10_000))
    public func throttled(to rate: Int) -> StubResponse {
        var copy = self
        copy.bytesPerSecond = max(1, rate)
        return copy
    }

    /// The throttling of the body; nil for none.
    package var pace: StubPace? {
        if let pause = fault?.pausePerByte { return StubPace(pieceBytes: 1, pausePerByte: pause) }
        return bytesPerSecond.map { StubPace(bytesPerSecond: max(1, $0)) }
    }

    /// True for a small fixed response that can be sent immediately, without a pause, a fault or generated parts.
    var isPlain: Bool {
        guard delay <= .zero, fault == nil, trailers == nil, bytesPerSecond == nil, let whole = body.whole else {
            return false
        }
        return whole.count <= Self.maximumPlainBytes && headers[.contentLength] == nil && headers[.connection] == nil
    }

    /// The number of bytes that a socket's send buffer usually accepts in one piece.
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
