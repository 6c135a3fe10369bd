public import NetCore
public import NetSocketCore

extension SocketClient {
    /// The settings of a session.
    public struct Configuration: Sendable {
        /// The wire protocol. Default ``NetSocketCore/SocketWire/json``.
        public var wire: SocketWire
        /// The rules for connecting again. Default: without limit, after waits of up to 1 s, 2 s, 4 s … 30 s.
        public var reconnect: ReconnectPolicy
        /// The limit for a reply, unless a command is sent with another one. Default 30 s.
        public var requestTimeout: Duration
        /// The limit for the answer to a join, and to the opening message of the wire protocol. Default 10 s.
        public var answerTimeout: Duration
        /// The time between heartbeats of the wire protocol, if it has any; nil for none. Default 30 s. A connection on which
        /// nothing arrives between two of them ends. Wire protocols whose servers name a limit use that.
        public var heartbeatInterval: Duration?
        /// How many messages may wait for a connection, or for their channel. Default 1,000.
        public var maximumQueueCount: Int
        /// How many bytes their payloads and names may have together. Default 1 MiB.
        public var maximumQueueBytes: Int
        /// The limits of delivery at least once; nil for plain messages. Default nil. With a wire protocol that has no numbered
        /// messages, or a server that doesn't agree on them, the session fails with `.unsupported`.
        public var delivery: SocketDelivery?
        /// The coding of payloads. Default ``NetCore/JSONCoding/standard``.
        public var coding: JSONCoding
        /// Makes the payload of the opening message, for each connection, where the wire protocol has one: a token, for
        /// example. Default none.
        public var openPayload: (@Sendable () async throws -> SocketPayload?)?

        /// Speaks with the server on each new connection before anything else is sent or read, within ``answerTimeout``: a
        /// login of a server without a wire protocol, for example. An error ends the session, unless it is a
        /// ``NetCore/NetError`` after which it connects again. Default none.
        public var negotiate: (@Sendable (SocketNegotiation) async throws -> Void)?

        /// The network's status; nil for none, which is the default. When the network changes, the session connects at once
        /// instead of waiting, and an open connection must answer a ping within ``probeTimeout``. While the network is
        /// unreachable, it waits without counting failures.
        public var network: (any NetworkStatusProvider)?
        /// The limit for that answer; a tenth of it after an outage that has ended with another address or interface.
        /// Default 5 s. Anything that arrives counts.
        public var probeTimeout: Duration
        /// When to connect. Default ``SocketConnecting/atOnce``.
        public var connects: SocketConnecting

        /// Creates settings.
        public init(
            wire: SocketWire = .json, reconnect: ReconnectPolicy = ReconnectPolicy(),
            requestTimeout: Duration = .seconds(30), answerTimeout: Duration = .seconds(10),
            heartbeatInterval: Duration? = .seconds(30), maximumQueueCount: Int = 1000,
            maximumQueueBytes: Int = 1 << 20, delivery: SocketDelivery? = nil, coding: JSONCoding = .standard,
            openPayload: (@Sendable () async throws -> SocketPayload?)? = nil,
            negotiate: (@Sendable (SocketNegotiation) async throws -> Void)? = nil,
            network: (any NetworkStatusProvider)? = nil, probeTimeout: Duration = .seconds(5),
            connects: SocketConnecting = .atOnce
        ) {
            self.wire = wire
            self.reconnect = reconnect
            self.requestTimeout = requestTimeout
            self.answerTimeout = answerTimeout
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
            settings.answerTimeout = answerTimeout
            settings.heartbeatInterval = heartbeatInterval
            settings.probeTimeout = probeTimeout
            if case .whenNeeded(let idle) = connects { settings.idleTimeout = idle }
            settings.maximumQueueCount = maximumQueueCount
            settings.maximumQueueBytes = maximumQueueBytes
            return settings
        }
    }
}
