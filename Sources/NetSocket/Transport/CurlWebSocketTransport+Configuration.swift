#if os(Linux)
public import NetCore
internal import NetCurl

extension CurlWebSocketTransport {
    /// The connection settings and limits of a transport.
    public struct Configuration: Sendable {
        /// The TLS settings: trusted authorities, client certificate, pins and TLS versions.
        public var tls = TLSConfiguration()
        /// The proxies. Default ``ProxyConfiguration/environment``. A connection through an HTTP proxy uses a tunnel
        /// (CONNECT), even without TLS; `ws:` counts as `http:`, and `wss:` as `https:`.
        public var proxy = ProxyConfiguration.environment
        /// The connection settings: addresses, Unix sockets, DNS and TCP.
        public var connection = ConnectionConfiguration()
        /// The size of the unreceived messages at which back-pressure stops the server, in bytes per connection.
        /// Default 1 MiB.
        public var inboxBytes = 1 << 20
        /// The size of the unsent data at which `send` suspends, in bytes per connection. Default 1 MiB.
        public var sendBufferBytes = 1 << 20

        /// Creates a configuration with the defaults.
        public init() {}

        func engine() throws(NetError) -> EngineConfiguration {
            EngineConfiguration(
                connection: try ConnectionSettings(tls: tls, proxy: proxy, connection: connection, version: .http1))
        }

        var limits: SocketLimits {
            SocketLimits(inboxBytes: max(1, inboxBytes), sendBufferBytes: max(1, sendBufferBytes))
        }
    }
}
#endif
