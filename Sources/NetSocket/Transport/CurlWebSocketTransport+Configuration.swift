#if os(Linux)
public import NetCore
internal import NetCurl

extension CurlWebSocketTransport {
    /// How a transport connects, and its limits.
    public struct Configuration: Sendable {
        /// Trusted authorities, client certificate, pins, versions of TLS.
        public var tls = TLSConfiguration()
        /// Proxies. Default ``ProxyConfiguration/environment``. A connection goes through an HTTP proxy as a tunnel (CONNECT),
        /// without TLS too; `ws:` counts as `http:`, `wss:` as `https:`.
        public var proxy = ProxyConfiguration.environment
        /// Addresses, Unix sockets, DNS, TCP.
        public var connection = ConnectionConfiguration()
        /// Bytes of messages that wait to be received before the server is held back, for each connection. Default 1 MiB.
        public var inboxBytes = 1 << 20
        /// Bytes that wait to be sent before `send` suspends, for each connection. Default 1 MiB.
        public var sendBufferBytes = 1 << 20

        /// The defaults.
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
