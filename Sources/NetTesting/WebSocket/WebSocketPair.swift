internal import HTTPTypes
public import NetCore
internal import NetSocketCore

/// Two ends of a WebSocket that are connected in memory: what one sends, the other receives.
///
/// Both ends speak RFC 6455 as on a real connection, in their role: masked frames, fragments, pings, closing handshakes,
/// size limits, compression and back-pressure. Pauses, time limits and round-trip times are on one clock, so that with a
/// ``TestClock`` a peer that is gone is noticed in virtual time.
///
///     let pair = WebSocketPair()
///     try await pair.client.send(.text("hello"))
///     print(try await pair.server.receive())
///     await pair.client.close(WebSocketClosure(code: .normalClosure))
///
/// What goes wrong is told in ``WebSocketFaults``. To test code that opens its WebSockets with a client, use
/// ``MockWebSocketTransport``.
///
/// Each end ends its connection when the last reference to it is gone.
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
    /// The same agreement as the peer sees it.
    fileprivate var mirrored: WebSocketCompression {
        var mirrored = self
        (mirrored.sending, mirrored.receiving) = (receiving, sending)
        return mirrored
    }
}
