public import HTTPTypes

/// Trace parent, state and baggage: received by a server with a request, and passed on in the requests that it makes.
///
/// Set it for a task, and `TracePropagationMiddleware` sends it with all requests of the task and its child tasks:
///
///     let context = TraceContext(headers: [.traceParent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"])
///     try await TraceContext.$current.withValue(context) {
///         try await client.send(GetUser(id: 7))
///     }
public struct TraceContext: Sendable, Hashable {
    /// The context of the current task; nil if none was set.
    @TaskLocal public static var current: TraceContext?

    /// The trace and the caller's position in it.
    public var parent: TraceParent
    /// The data of tracing systems.
    public var state: TraceState
    /// The data of the application.
    public var baggage: Baggage

    /// Creates a context.
    public init(parent: TraceParent, state: TraceState = TraceState(), baggage: Baggage = Baggage()) {
        self.parent = parent
        self.state = state
        self.baggage = baggage
    }

    /// Reads the headers of a request; nil if `traceparent` is missing, malformed or present twice.
    public init?(headers: HTTPFields) {
        let lines = headers[values: .traceParent]
        guard lines.count == 1, let parent = TraceParent(lines[0]) else { return nil }
        self.init(
            parent: parent, state: TraceState(lines: headers[values: .traceState]) ?? TraceState(),
            baggage: Baggage(lines: headers[values: .baggage]))
    }
}

extension HTTPField.Name {
    /// `traceparent` (W3C Trace Context).
    public static let traceParent = known("traceparent")
    /// `tracestate` (W3C Trace Context).
    public static let traceState = known("tracestate")
    /// `baggage` (W3C Baggage).
    public static let baggage = known("baggage")

    /// Returns the name. The fallback is never used, because the names are tokens.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .eTag }
}
