/// A listener that receives each call once, as one value, when it has ended: for a stream, at the end of its body.
///
///     let slow = TraceListener { trace in
///         if trace.duration > .seconds(1) { print(trace) }
///     }
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.listeners = [slow] }
public final class TraceListener: ActivityListener {
    private let calls = CallTraceAssembler()
    private let receive: @Sendable (CallTrace) -> Void

    /// Creates a listener that passes each trace to `receive`, on the thread that ends the call. `receive` must return
    /// immediately and never block.
    public init(_ receive: @escaping @Sendable (CallTrace) -> Void) {
        self.receive = receive
    }

    public func record(_ event: ActivityEvent) {
        if let trace = calls.add(event) { receive(trace) }
    }
}
