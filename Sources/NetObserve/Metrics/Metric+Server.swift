extension Metric {
    /// The number of open WebSockets of a server.
    public static let serverOpen = Metric(
        "swift_net.server.websocket.open", unit: "{connection}", kind: .upDownCounter,
        summary: "Number of open WebSockets of the server.")
    /// The number of WebSockets that a server has accepted.
    public static let serverAccepted = Metric(
        "swift_net.server.websocket.accepted", unit: "{connection}", kind: .counter,
        summary: "Number of WebSockets that the server has accepted.")
    /// The number of handshakes that a server has refused, by reason.
    public static let serverRefused = Metric(
        "swift_net.server.websocket.refused", unit: "{connection}", kind: .counter,
        summary: "Number of handshakes that the server has refused, by reason.")
    /// The number of WebSockets of a server that have ended, by close code; codes of libraries and applications are
    /// counted as `3xxx` and `4xxx`.
    public static let serverClosed = Metric(
        "swift_net.server.websocket.closed", unit: "{connection}", kind: .counter,
        summary: "Number of WebSockets of the server that have ended, by close code.")
    /// The number of channels that have members on a server.
    public static let serverChannels = Metric(
        "swift_net.server.websocket.channels", unit: "{channel}", kind: .upDownCounter,
        summary: "Number of channels that have members on this server.")
    /// The number of messages that a server couldn't read.
    public static let serverUnreadable = Metric(
        "swift_net.server.websocket.unreadable", unit: "{message}", kind: .counter,
        summary: "Number of messages that the server could not read.")
    /// The number of commands that a server has received, by outcome.
    public static let serverCommands = Metric(
        "swift_net.server.websocket.commands", unit: "{command}", kind: .counter,
        summary: "Number of commands that the server has received, by outcome.")
    /// The number of pushes that a server has sent, once for each receiver.
    public static let serverDelivered = Metric(
        "swift_net.server.websocket.pushes.delivered", unit: "{message}", kind: .counter,
        summary: "Number of pushes that the server has sent, once for each receiver.")
    /// The number of pushes that a server didn't send to a receiver, by reason.
    public static let serverDropped = Metric(
        "swift_net.server.websocket.pushes.dropped", unit: "{message}", kind: .counter,
        summary: "Number of pushes that the server hasn't sent to a receiver, by reason.")
    /// The size of the messages queued for sending by a server.
    public static let serverOutbox = Metric(
        "swift_net.server.websocket.outbox", unit: "By", kind: .upDownCounter,
        summary: "Size of the messages that wait to be sent by the server.")
    /// The number of fan-out engines that can't reach their broker.
    public static let serverEnginesAway = Metric(
        "swift_net.server.websocket.fan_out.away", unit: "{engine}", kind: .upDownCounter,
        summary: "Number of fan-out engines that can't reach their broker.")
    /// The size of a server's WebSocket messages, by direction.
    public static let serverBytes = Metric(
        "swift_net.server.websocket.io", unit: "By", kind: .counter,
        summary: "Size of the server's WebSocket messages by direction.")
    /// The duration of a server's command handlers, by command and outcome.
    public static let serverCommandDuration = Metric(
        "swift_net.server.websocket.command.duration", unit: "s",
        kind: .histogram(bounds: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]),
        summary: "Duration of the handlers of the server's WebSocket commands.")
    /// The time that a server's WebSocket was open, recorded when it ends.
    public static let serverDuration = Metric(
        "swift_net.server.websocket.duration", unit: "s",
        kind: .histogram(bounds: [1, 5, 10, 30, 60, 300, 900, 3600, 14_400, 86_400]),
        summary: "Time that WebSockets of the server were open.")
    /// The number of messages of a server's WebSockets, by direction, counted when a WebSocket ends.
    public static let serverMessages = Metric(
        "swift_net.server.websocket.messages", unit: "{message}", kind: .counter,
        summary: "Number of the server's WebSocket messages by direction.")
    /// The time between a server's ping and its pong.
    public static let serverRoundTrip = Metric(
        "swift_net.server.websocket.round_trip", unit: "s",
        kind: .histogram(bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
        summary: "Time between a WebSocket ping of the server and its pong.")
}
