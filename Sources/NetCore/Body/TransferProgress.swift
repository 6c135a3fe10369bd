/// The progress of a body's transfer.
///
/// Bytes are counted as transferred: for a compressed body, the compressed bytes. Each attempt of a call starts at
/// zero and has its own number.
public struct TransferProgress: Sendable, Hashable {
    /// The direction of a transfer.
    public enum Kind: Sendable, Hashable {
        case upload, download
    }

    /// The direction.
    public var kind: Kind
    /// The number of bytes so far.
    public var completed: Int64
    /// The total number of bytes; nil if it's unknown.
    public var total: Int64?
    /// The attempt, counted from 1.
    public var attempt: Int

    /// Creates a progress value.
    public init(_ kind: Kind, completed: Int64, total: Int64? = nil, attempt: Int = 1) {
        self.kind = kind
        self.completed = completed
        self.total = total
        self.attempt = attempt
    }

    /// The completed fraction, from 0 to 1; nil if the total is zero or unknown. 1 only when every byte was
    /// transferred.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        // A peer may send more than it announced.
        return min(1, Double(completed) / Double(total))
    }
}

/// An observer of the progress of a request's bodies.
///
/// The first report of each body is zero, and the last one of a complete body is its exact size. Reports in between are
/// at least the interval apart, on the client's clock. Reports arrive in order; none starts after the call has ended or
/// a body was cancelled. The response body of a redirect that is followed isn't reported; a request body that is sent
/// again to the redirect's target starts at zero again.
///
/// Reports arrive on the transport's own thread: return immediately and never block. `CurlTransport`,
/// `URLSessionTransport` and `MockTransport` report progress; other transports may not.
///
///     var request = Request<Bytes>("film.mp4", serializer: .bytes)
///     request.options.progress = ProgressObserver { progress in
///         if let fraction = progress.fraction { print("\(Int(fraction * 100)) %") }
///     }
public final class ProgressObserver: Sendable {
    /// The minimum time between two reports of one body.
    public let interval: Duration
    /// The closure that receives the reports.
    public let report: @Sendable (TransferProgress) -> Void

    /// Creates an observer that is called at most once per interval. Default 100 ms; zero reports every piece.
    public init(every interval: Duration = .milliseconds(100), _ report: @escaping @Sendable (TransferProgress) -> Void)
    {
        self.interval = interval
        self.report = report
    }
}
