import NetSocketCore

extension SocketWire {
    static let mqtt = SocketWire(
        "mqtt", subprotocols: ["mqtt"], features: [.opening, .notifications, .pushes, .channels, .heartbeats, .tags]
    ) { _ in MQTTWire() }

    static let stomp = SocketWire(
        "stomp", subprotocols: ["v12.stomp"],
        features: [.opening, .requests, .notifications, .pushes, .channels, .confirmedLeaves, .heartbeats, .tags]
    ) { _ in STOMPWire() }

    static let nats = SocketWire(
        "nats",
        features: [.opening, .requests, .notifications, .pushes, .channels, .confirmedLeaves, .heartbeats, .tags]
    ) { _ in NATSWire() }

    static let devTools = SocketWire("devtools", features: [.requests, .pushes, .tags]) { _ in DevToolsWire() }
}
