#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
public import NetCore

extension URLSessionWebSocketTransport {
    /// The TLS versions and limits of a transport.
    public struct Configuration: Sendable {
        /// The TLS versions; App Transport Security applies as well. No other TLS setting is supported: with
        /// authorities other than the system's, pins, a client certificate or ciphers, every call throws
        /// `.unsupported`. Default: TLS 1.2 and later.
        public var tls = TLSConfiguration()
        /// The size of the unreceived messages at which URLSession isn't asked for more, in bytes per connection, plus
        /// 64 for each message. Default 1 MiB.
        public var inboxBytes = 1 << 20
        /// The size of the messages that URLSession hasn't sent at which `send` suspends, in bytes per connection, plus
        /// 64 for each message. Default 1 MiB.
        public var sendBufferBytes = 1 << 20

        /// Creates a configuration with the defaults.
        public init() {}

        /// The setting that isn't supported; nil if all are.
        var unsupported: String? {
            if tls.trust != .system { return "tls.trust" }
            if !tls.pins.isEmpty { return "tls.pins" }
            if tls.identity != nil { return "tls.identity" }
            if tls.cipherList != nil { return "tls.cipherList" }
            if tls.cipherSuites != nil { return "tls.cipherSuites" }
            #if canImport(Darwin)
            return nil
            #else
            return tls == TLSConfiguration() ? nil : "tls"
            #endif
        }

        func settings(_ options: WebSocketOptions, timeouts: Timeouts) -> SocketTaskStateMachine.Settings {
            SocketTaskStateMachine.Settings(
                maximumMessageBytes: max(0, options.maximumMessageBytes), inboxBytes: max(1, inboxBytes),
                sendBufferBytes: max(1, sendBufferBytes), subprotocols: options.offeredSubprotocols,
                connectTimeout: timeouts.connect, liveness: options.liveness)
        }
    }
}
#endif
