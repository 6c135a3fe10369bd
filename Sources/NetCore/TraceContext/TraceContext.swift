public import HTTPTypes

/// Trace, state and baggage together: what a server got with a request, and what the requests it makes go on with.
///
/// Set it for a task, and `TracePropagationMiddleware` sends it with whatever the task and its child tasks send:
///
///     let context = TraceContext(fields: [.traceParent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"])
///     try await TraceContext.$current.withValue(context) {
///         _ = try await client.send(GetUser(id: 7))
///     }
public struct TraceContext: Sendable, Hashable {
    /// What the running task goes on with; nil where nobody said.
    @TaskLocal public static var current: TraceContext?

    /// The trace and its caller.
    public var parent: TraceParent
    /// What tracing systems send along.
    public var state: TraceState
    /// What the application sends along.
    public var baggage: Baggage

    /// Puts the parts together.
    public init(parent: TraceParent, state: TraceState = TraceState(), baggage: Baggage = Baggage()) {
        self.parent = parent
        self.state = state
        self.baggage = baggage
    }

    /// Reads the fields of a request; nil where there is no `traceparent`, or it is malformed or there are two.
    public init?(fields: HTTPFields) {
        let lines = fields[values: .traceParent]
        guard lines.count == 1, let parent = TraceParent(lines[0]) else { return nil }
        self.init(
            parent: parent, state: TraceState(lines: fields[values: .traceState]) ?? TraceState(),
            baggage: Baggage(lines: fields[values: .baggage]))
    }
}

extension HTTPField.Name {
    /// `traceparent` (W3C Trace Context).
    public static let traceParent = known("traceparent")
    /// `tracestate` (W3C Trace Context).
    public static let traceState = known("tracestate")
    /// `baggage` (W3C Baggage).
    public static let baggage = known("baggage")

    /// The fallback is never taken: the names are tokens.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .eTag }
}
