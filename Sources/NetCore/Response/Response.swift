/// A decoded response with its head and figures.
public struct Response<Value: Sendable>: Sendable {
    /// The decoded value.
    public var value: Value
    /// Status and fields.
    public var head: ResponseHead
    /// The figures of the last attempt; nil where the transport has none, or while the value still streams.
    public var metrics: TransferMetrics?
    /// Which call this was.
    public var call: CallSummary

    /// Puts the parts together.
    public init(value: Value, head: ResponseHead, metrics: TransferMetrics? = nil, call: CallSummary) {
        self.value = value
        self.head = head
        self.metrics = metrics
        self.call = call
    }
}

/// The response of a request that answers without content.
public struct Empty: Sendable, Hashable, Codable {
    public init() {}
}
