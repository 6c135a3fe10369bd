/// How far a body has come.
///
/// Bytes are those of the wire: a compressed body counts compressed. Each attempt of a call counts from zero again and has
/// its own number.
public struct TransferProgress: Sendable, Hashable {
    /// Which way the body goes.
    public enum Kind: Sendable, Hashable {
        case upload, download
    }

    /// Which way.
    public var kind: Kind
    /// Bytes so far.
    public var completed: Int64
    /// Bytes in all; nil where nobody said so.
    public var total: Int64?
    /// The attempt, counted from 1.
    public var attempt: Int

    /// Puts the parts together.
    public init(_ kind: Kind, completed: Int64, total: Int64? = nil, attempt: Int = 1) {
        self.kind = kind
        self.completed = completed
        self.total = total
        self.attempt = attempt
    }

    /// From 0 to 1; nil where the total is zero or not known. 1 only when every byte has gone or come.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        // A peer that sends more than it announced has not done more than all.
        return min(1, Double(completed) / Double(total))
    }
}

/// Hears how far the bodies of a request have come.
///
/// The first report of each body says zero, the last one of a body that is whole its exact size; between them is at least
/// the interval, on the client's clock. Reports come in order and none begins after the call has ended, nor after a body was
/// cancelled. Of a redirect that is followed the answer's body is not told of; a body that goes out again to where it leads
/// begins at zero again. They come on the transport's own thread: return at once and never block. `CurlTransport` reports; a transport
/// of your own may leave it.
///
///     var request = Request<Bytes>("film.mp4", serializer: .bytes)
///     request.options.progress = ProgressObserver { progress in
///         if let fraction = progress.fraction { print("\(Int(fraction * 100)) %") }
///     }
public final class ProgressObserver: Sendable {
    /// The shortest time between two reports of one body.
    public let interval: Duration
    /// What is told.
    public let report: @Sendable (TransferProgress) -> Void

    /// Takes what is told, at most once in an interval. Default 100 ms; zero reports every piece.
    public init(every interval: Duration = .milliseconds(100), _ report: @escaping @Sendable (TransferProgress) -> Void)
    {
        self.interval = interval
        self.report = report
    }
}
