public import NetCore
public import NetSocketCore

extension SocketClient {
    /// The settings of a session.
    public struct Configuration: Sendable {
        /// The wire protocol. Default ``NetSocketCore/SocketWire/json``.
        public var wire: SocketWire
        /// The rules for reconnecting. Default: unlimited attempts, after waits of up to 1 s, 2 s, 4 s … 30 s.
        public var reconnect: ReconnectPolicy
        /// The time limit for a reply, including the wait for a connection, unless a command is sent with another one.
        /// Default 30 s.
        public var requestTimeout: Duration
        /// The time limit for the reply to a join, including the wait for a connection, and for the reply to the opening
        /// message of the wire protocol. Default 10 s. A join that has timed out isn't made later; a channel that was
        /// joined before is still joined again on the next connection.
        public var joinTimeout: Duration
        /// The time between heartbeats of the wire protocol, if it has any; nil for none. Default 30 s. A connection
        /// ends if nothing arrives between two heartbeats. Wire protocols whose servers name a limit use that limit.
        public var heartbeatInterval: Duration?
        /// The maximum number of messages that wait for a connection, or for their channel. Default 1,000.
        public var maximumQueueCount: Int
        /// The maximum total size of the payloads and names of waiting messages, in bytes. Default 1 MiB.
        public var maximumQueueBytes: Int
        /// The limits of at-least-once delivery; nil for plain messages. Default nil. With a wire protocol that has no
        /// numbered messages, or a server that doesn't agree to them, the session fails with `.unsupported`.
        public var delivery: SocketDelivery?
        /// The coding of payloads. Default ``NetCore/JSONCoding/standard``.
        public var coding: JSONCoding
        /// Makes the payload of the opening message, such as a token, for each connection. Used only if the wire
        /// protocol has an opening message. Default none.
        public var openPayload: (@Sendable () async throws -> SocketPayload?)?

        /// Exchanges messages with the server on each new connection before anything else is sent or read, within
        /// ``joinTimeout``: for example, a login at a server without a wire protocol. An error ends the session,
        /// unless it is a ``NetCore/NetError`` after which the session reconnects. Default none.
        public var negotiate: (@Sendable (SocketNegotiation) async throws -> Void)?

        /// The network's status; nil for none. Default nil. When the network changes, the session connects immediately
        /// instead of waiting, and an open connection must reply to a ping within ``probeTimeout``. While the network
        /// is unreachable, the session waits without counting failures.
        public var network: (any NetworkStatusProvider)?
        /// The time limit for the reply to the ping that checks an open connection after the network has changed.
        /// Default 5 s. If an outage ended with another address or interface, the limit is a tenth of it. Anything that
        /// arrives counts as a reply.
        public var probeTimeout: Duration
        /// The times at which the session has a connection. Default ``SocketConnecting/immediately``.
        public var connects: SocketConnecting

        /// Creates settings.
        public init(
            wire: SocketWire = .json, reconnect: ReconnectPolicy = ReconnectPolicy(),
            requestTimeout: Duration = .seconds(30), joinTimeout: Duration = .seconds(10),
            heartbeatInterval: Duration? = .seconds(30), maximumQueueCount: Int = 1000,
            maximumQueueBytes: Int = 1 << 20, delivery: SocketDelivery? = nil, coding: JSONCoding = .standard,
            openPayload: (@Sendable () async throws -> SocketPayload?)? = nil,
            negotiate: (@Sendable (SocketNegotiation) async throws -> Void)? = nil,
            network: (any NetworkStatusProvider)? = nil, probeTimeout: Duration = .seconds(5),
            connects: SocketConnecting = .immediately
        ) {
            self.wire = wire
            self.reconnect = reconnect
            self.requestTimeout = requestTimeout
            self.joinTimeout = joinTimeout
            self.heartbeatInterval = heartbeatInterval
            self.maximumQueueCount = maximumQueueCount
            self.maximumQueueBytes = maximumQueueBytes
            self.delivery = delivery
            self.coding = coding
            self.openPayload = openPayload
            self.negotiate = negotiate
            self.network = network
            self.probeTimeout = probeTimeout
            self.connects = connects
        }

        var settings: SessionMachine.Settings {
            var settings = SessionMachine.Settings(features: wire.features)
            settings.policy = reconnect
            settings.joinTimeout = joinTimeout
            settings.heartbeatInterval = heartbeatInterval
            settings.probeTimeout = probeTimeout
            if case .whenNeeded(let idle) = connects { settings.idleTimeout = idle }
            settings.maximumQueueCount = maximumQueueCount
            settings.maximumQueueBytes = maximumQueueBytes
            return settings
        }
    }
}
