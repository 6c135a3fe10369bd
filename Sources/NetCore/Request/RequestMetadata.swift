/// The description of a request for logs, activity and traces. Only the trace context is sent.
public struct RequestMetadata: Sendable, Hashable {
    /// A class, since metadata is copied into every event, and few requests have their own trace.
    private final class Trace: Sendable, Hashable {
        let context: TraceContext

        init(_ context: TraceContext) { self.context = context }

        static func == (left: Trace, right: Trace) -> Bool { left.context == right.context }

        func hash(into hasher: inout Hasher) { hasher.combine(context) }
    }

    /// A name for display.
    public var name: String?
    /// The OpenAPI `operationId`.
    public var operationID: String?
    /// Tags for grouping calls. They appear in log lines, events and contracts.
    public var tags: [String]
    /// The credentials that the request accepts, for `AuthMiddleware(schemes:)`. Default nil: not declared.
    /// ``SecurityRequirements/none`` declares that the request needs no credentials.
    public var security: SecurityRequirements?
    private var trace: Trace?

    /// Creates metadata. All values are optional.
    public init(
        name: String? = nil, operationID: String? = nil, tags: [String] = [], security: SecurityRequirements? = nil,
        traceContext: TraceContext? = nil
    ) {
        self.name = name
        self.operationID = operationID
        self.tags = tags
        self.security = security
        trace = traceContext.map { Trace($0) }
    }

    /// Empty metadata.
    public static let none = RequestMetadata()

    /// The trace that the request belongs to, sent by `TracePropagationMiddleware`; nil uses the task's trace,
    /// ``TraceContext/current``. Default nil.
    ///
    ///     let parent = TraceContext(headers: [.traceParent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"])
    ///     let options = RequestOptions(metadata: RequestMetadata(name: "stock", traceContext: parent))
    public var traceContext: TraceContext? {
        get { trace?.context }
        set { trace = newValue.map { Trace($0) } }
    }
    /// The name for display: `name`, or else `operationID`.
    public var displayName: String? { name ?? operationID }
    /// The name for grouping: `operationID`, or else `name`.
    public var operationName: String? { operationID ?? name }
}

extension RequestMetadata: CustomReflectable {
    public var customMirror: Mirror {
        var children: [(label: String?, value: Any)] = [("name", name as Any), ("operationID", operationID as Any)]
        children += [("tags", tags), ("security", security as Any), ("traceContext", traceContext as Any)]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
