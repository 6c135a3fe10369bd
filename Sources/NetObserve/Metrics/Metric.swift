/// A figure that is kept: its name, unit and kind.
///
/// The names that begin with `http.client` are those of OpenTelemetry's semantic conventions for HTTP metrics.
public struct Metric: Sendable, Hashable {
    /// What is done with the values.
    public enum Kind: Sendable, Hashable {
        /// Added up.
        case counter
        /// Added up, and taken away again.
        case upDownCounter
        /// Counted in buckets with these upper bounds.
        case histogram(bounds: [Double])
    }

    /// The name, words joined by `.`.
    public let name: String
    /// The unit (UCUM): `s`, `By`, or `{request}` for a count.
    public let unit: String
    /// One sentence for a person.
    public let summary: String
    /// What is done with the values.
    public let kind: Kind

    /// A figure of your own.
    public init(_ name: String, unit: String, kind: Kind, summary: String) {
        self.name = name
        self.unit = unit
        self.kind = kind
        self.summary = summary
    }
}

extension Metric {
    private static let seconds = Kind.histogram(
        bounds: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10])
    private static let bytes = Kind.histogram(bounds: (5...15).map { Double(1 << (2 * $0)) })

    /// How long one request took, body included; each attempt of a call is a request.
    public static let requestDuration = Metric(
        "http.client.request.duration", unit: "s", kind: seconds, summary: "Duration of HTTP client requests.")
    /// The size of request bodies, as they were sent.
    public static let requestBodySize = Metric(
        "http.client.request.body.size", unit: "By", kind: bytes, summary: "Size of HTTP client request bodies.")
    /// The size of response bodies, as they came.
    public static let responseBodySize = Metric(
        "http.client.response.body.size", unit: "By", kind: bytes, summary: "Size of HTTP client response bodies.")
    /// Calls that have begun and not ended.
    public static let activeRequests = Metric(
        "http.client.active_requests", unit: "{request}", kind: .upDownCounter,
        summary: "Number of active HTTP requests.")
    /// Requests that repeat an earlier one of their call.
    public static let resends = Metric(
        "swift_net.client.resends", unit: "{request}", kind: .counter, summary: "Number of repeated HTTP requests.")
    /// How long a call took, all of its attempts and the waits between them.
    public static let callDuration = Metric(
        "swift_net.client.call.duration", unit: "s", kind: seconds, summary: "Duration of calls, retries included.")
    /// How long a request waited for the first byte of its answer.
    public static let timeToFirstByte = Metric(
        "swift_net.client.time_to_first_byte", unit: "s", kind: seconds,
        summary: "Time from the request to the first byte of its answer.")
    /// Requests that went over a connection, by whether it had served another before.
    public static let connections = Metric(
        "swift_net.client.connection_uses", unit: "{request}", kind: .counter,
        summary: "Number of HTTP requests by whether their connection was reused.")
}
