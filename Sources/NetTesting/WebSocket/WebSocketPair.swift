internal import HTTPTypes
public import NetCore
internal import NetSocketCore

/// Two ends of a WebSocket that are connected in memory: each end receives the messages that the other one sends.
///
/// Both ends follow RFC 6455 as on a real connection, each in its role: masked frames, fragments, pings, closing
/// handshakes, size limits, compression and back-pressure. Pauses, time limits and round-trip times use the same clock,
/// so with a ``TestClock`` the loss of a peer is detected in virtual time.
///
///     let pair = WebSocketPair()
///     try await pair.client.send(.text("hello"))
///     print(try await pair.server.receive())
///     await pair.client.close(WebSocketClosure(code: .normalClosure))
///
/// To simulate failures, see ``WebSocketFaults``. To test code that opens its WebSockets with a client, use
/// ``MockWebSocketTransport``.
///
/// Each end drops its connection when the last reference to it is released.
public struct WebSocketPair: Sendable {
    /// The client's end.
    public let client: any WebSocketLink
    /// The server's end.
    public let server: any WebSocketLink

    /// Connects two ends.
    public init(configuration: Configuration = Configuration()) {
        let origin = SocketOrigin(configuration.clock)
        let faults = configuration.faults
        func settings(_ role: WebSocketRole, _ end: Configuration.End) -> PairSettings {
            PairSettings(
                role: role, maximumMessageBytes: end.maximumMessageBytes, inboxBytes: max(1, configuration.bufferBytes),
                compression: role == .client ? configuration.compression : configuration.compression?.mirrored,
                liveness: end.liveness, faults: role == .client ? faults.toServer : faults.toClient,
                pause: role == .client ? faults.toClient.pause : faults.toServer.pause, random: configuration.random,
                origin: origin)
        }
        let ends = PairEnd.connect(
            settings(.client, configuration.client), settings(.server, configuration.server),
            bufferBytes: configuration.bufferBytes)
        let response = ResponseHead(
            status: .switchingProtocols, version: "1.1", headers: [.upgrade: "websocket", .connection: "Upgrade"])
        client = PairLink(ends.client, response: response, subprotocol: nil)
        server = PairLink(ends.server, response: response, subprotocol: nil)
    }
}

extension WebSocketCompression {
    /// The same agreement from the peer's point of view.
    fileprivate var mirrored: WebSocketCompression {
        var mirrored = self
        (mirrored.sending, mirrored.receiving) = (receiving, sending)
        return mirrored
    }
}
