/// A metric: its name, unit and kind.
///
/// Names that start with `http.client` are from OpenTelemetry's semantic conventions for HTTP metrics.
public struct Metric: Sendable, Hashable {
    /// The way in which values are aggregated.
    public enum Kind: Sendable, Hashable {
        /// A sum that only increases.
        case counter
        /// A sum that can increase and decrease.
        case upDownCounter
        /// A distribution, counted in buckets with these upper bounds.
        case histogram(bounds: [Double])
    }

    /// The name, of words joined by `.`.
    public let name: String
    /// The unit (UCUM): `s`, `By`, or `{request}` for a count.
    public let unit: String
    /// A description for people, in one sentence.
    public let summary: String
    /// The way in which values are aggregated.
    public let kind: Kind

    /// Creates a custom metric.
    ///
    /// - Parameters:
    ///   - name: The name, of words joined by `.`.
    ///   - unit: The unit (UCUM): `s`, `By`, or `{request}` for a count.
    ///   - kind: The way in which values are aggregated.
    ///   - summary: A description for people, in one sentence.
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

    /// The duration of one request, including the body; each attempt of a call is a request.
    public static let requestDuration = Metric(
        "http.client.request.duration", unit: "s", kind: seconds, summary: "Duration of HTTP client requests.")
    /// The size of request bodies as sent.
    public static let requestBodySize = Metric(
        "http.client.request.body.size", unit: "By", kind: bytes, summary: "Size of HTTP client request bodies.")
    /// The size of response bodies as received.
    public static let responseBodySize = Metric(
        "http.client.response.body.size", unit: "By", kind: bytes, summary: "Size of HTTP client response bodies.")
    /// The number of running calls.
    public static let activeRequests = Metric(
        "http.client.active_requests", unit: "{request}", kind: .upDownCounter,
        summary: "Number of active HTTP requests.")
    /// The number of requests that repeat an earlier one of their call.
    public static let resends = Metric(
        "swift_net.client.resends", unit: "{request}", kind: .counter, summary: "Number of repeated HTTP requests.")
    /// The duration of a call, including all of its attempts and the waits between them.
    public static let callDuration = Metric(
        "swift_net.client.call.duration", unit: "s", kind: seconds, summary: "Duration of calls, retries included.")
    /// The time that a request waited for the first byte of its response.
    public static let timeToFirstByte = Metric(
        "swift_net.client.time_to_first_byte", unit: "s", kind: seconds,
        summary: "Time from the request to the first byte of the response.")
    /// The number of open connections, in use or idle.
    public static let openConnections = Metric(
        "http.client.open_connections", unit: "{connection}", kind: .upDownCounter,
        summary: "Number of open HTTP connections by state.")
    /// The number of calls without a connection.
    public static let waitingCalls = Metric(
        "swift_net.client.waiting", unit: "{request}", kind: .upDownCounter,
        summary: "Number of HTTP requests that wait for a connection.")
    /// The number of open WebSockets.
    public static let openSockets = Metric(
        "swift_net.client.websocket.open", unit: "{connection}", kind: .upDownCounter,
        summary: "Number of open WebSockets.")
    /// The time that a WebSocket was open, recorded when it ends.
    public static let socketDuration = Metric(
        "swift_net.client.websocket.duration", unit: "s",
        kind: .histogram(bounds: [1, 5, 10, 30, 60, 300, 900, 3600, 14_400, 86_400]),
        summary: "Time that WebSockets were open.")
    /// The number of messages of WebSockets, by direction, counted when a WebSocket ends.
    public static let socketMessages = Metric(
        "swift_net.client.websocket.messages", unit: "{message}", kind: .counter,
        summary: "Number of WebSocket messages by direction.")
    /// The payload size of WebSockets before compression, by direction, counted when a WebSocket ends.
    public static let socketBytes = Metric(
        "swift_net.client.websocket.io", unit: "By", kind: .counter,
        summary: "Size of WebSocket messages by direction.")
    /// The time between a ping and its pong.
    public static let socketRoundTrip = Metric(
        "swift_net.client.websocket.round_trip", unit: "s", kind: seconds,
        summary: "Time between a WebSocket ping and its pong.")
    /// The number of times that a session waited to reconnect, by the error that ended the connection.
    public static let reconnects = Metric(
        "swift_net.client.websocket.reconnects", unit: "{attempt}", kind: .counter,
        summary: "Number of reconnection attempts of WebSocket sessions.")
    /// The duration of a session's commands, including the wait for a connection.
    public static let commandDuration = Metric(
        "swift_net.client.websocket.command.duration", unit: "s", kind: seconds,
        summary: "Time between a command of a WebSocket session and its reply.")
    /// The number of requests sent over a connection, new or reused.
    public static let connections = Metric(
        "swift_net.client.connection_uses", unit: "{request}", kind: .counter,
        summary: "Number of HTTP requests by whether their connection was reused.")
}
