#if Server
internal import NetObserve

extension Metric {
    static let serverOpen = Metric(
        "swift_net.server.websocket.open", unit: "{connection}", kind: .upDownCounter,
        summary: "Number of open WebSockets of the server.")
    static let serverAccepted = Metric(
        "swift_net.server.websocket.accepted", unit: "{connection}", kind: .counter,
        summary: "Number of WebSockets that the server has accepted.")
    static let serverRefused = Metric(
        "swift_net.server.websocket.refused", unit: "{connection}", kind: .counter,
        summary: "Number of handshakes that the server has refused, by reason.")
    static let serverClosed = Metric(
        "swift_net.server.websocket.closed", unit: "{connection}", kind: .counter,
        summary: "Number of WebSockets of the server that have ended, by close code.")
    static let serverChannels = Metric(
        "swift_net.server.websocket.channels", unit: "{channel}", kind: .upDownCounter,
        summary: "Number of channels that have members on this server.")
    static let serverCommands = Metric(
        "swift_net.server.websocket.commands", unit: "{command}", kind: .counter,
        summary: "Number of commands that the server has received, by outcome.")
    static let serverDelivered = Metric(
        "swift_net.server.websocket.pushes.delivered", unit: "{message}", kind: .counter,
        summary: "Number of pushes that the server has sent, once for each receiver.")
    static let serverDropped = Metric(
        "swift_net.server.websocket.pushes.dropped", unit: "{message}", kind: .counter,
        summary: "Number of pushes that the server hasn't sent to a receiver, by reason.")
    static let serverOutbox = Metric(
        "swift_net.server.websocket.outbox", unit: "By", kind: .upDownCounter,
        summary: "Size of the messages that wait to be sent by the server.")
    static let serverBytes = Metric(
        "swift_net.server.websocket.io", unit: "By", kind: .counter,
        summary: "Size of the server's WebSocket messages by direction.")
}
#endif
