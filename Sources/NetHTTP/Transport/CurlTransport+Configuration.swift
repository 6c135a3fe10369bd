#if os(Linux)
internal import NetCurl
public import NetCore

extension CurlTransport {
    /// A transport's connection settings and limits.
    public struct Configuration: Sendable {
        /// The HTTP versions to offer.
        public enum Version: Sendable, Hashable {
            /// HTTP/1.1 only.
            case http1
            /// HTTP/2 if the server agrees by ALPN, else HTTP/1.1; without TLS, HTTP/1.1.
            case http2
            /// HTTP/2 without negotiation, also without TLS.
            case http2PriorKnowledge
        }

        /// The HTTP versions to offer. Default ``Version/http2``.
        public var version = Version.http2
        /// Trusted authorities, client certificate, pins, TLS versions.
        public var tls = TLSConfiguration()
        /// Proxies. Default ``ProxyConfiguration/environment``.
        public var proxy = ProxyConfiguration.environment
        /// Addresses, Unix sockets, DNS, TCP.
        public var connection = ConnectionConfiguration()
        /// The maximum number of concurrent transfers; further ones wait. Default 1,024.
        public var maximumTransfers = 1024
        /// The number of bytes of a streamed body that are buffered for a slow consumer before the transfer pauses.
        /// Default 1 MiB.
        public var streamBuffer = 1 << 20
        /// The approximate number of bytes of a streamed body that the kernel buffers in addition. Default 1 MiB:
        /// about 80 Mbit/s at 100 ms; raise it for fast, distant servers.
        public var receiveWindow = 1 << 20
        /// The time for which an idle connection is kept for reuse, in whole seconds. Default 90 s.
        public var idleConnectionLife = Duration.seconds(90)
        /// The maximum age at which a connection is reused, in whole seconds, so that servers that have moved are
        /// found; nil for any age, the default.
        public var connectionLife: Duration?
        /// The maximum number of connections to one host and port, idle ones included; further calls wait. Streamed
        /// calls have separate connections, with a separate count. Nil for no limit except ``maximumTransfers``, the
        /// default: a queue for each host costs a third more CPU.
        public var maximumConnectionsPerHost: Int?
        /// The maximum total size of all header sections of one response in bytes, including trailers and interim
        /// responses; a larger size throws `.headersTooLarge`. Default 256 KiB. libcurl rejects lines of more than
        /// about 100 KB, and limits the header section on HTTP/2 too, with the same error.
        public var maximumHeaderBytes = 256 << 10
        /// The maximum number of interim (1xx) responses before a response; one more throws
        /// `.tooManyInterimResponses`. Default 64.
        public var maximumInterimResponses = 64
        /// The maximum number of decoded bytes for each byte received of an encoded body, once 1 MiB has been
        /// decoded; a higher ratio throws `.bodyTooLarge`. Nil for no limit. Default 250: legitimate content stays
        /// below 30, a decompression bomb is above 1,000.
        public var maximumExpansion: Double? = 250

        /// The source of the network's status, such as a ``NetworkMonitor``: after a change of the network path, idle
        /// connections and cached DNS results aren't reused. Running transfers continue. Default nil: the network
        /// isn't observed.
        public var network: (any NetworkStatusProvider)?
        /// The origins to which the current user's Kerberos ticket is sent (Negotiate, RFC 4559): scheme, host and
        /// port, such as `https://intranet.example.com`. Default none. The ticket is never sent to another origin,
        /// whatever a redirect or a URL contains, nor with a request that has its own `Authorization`. Such servers
        /// use HTTP/1.1, and authenticate connections.
        ///
        /// Every call throws `.unsupported` if libcurl was built without support for it, `.invalidRequest` if an
        /// entry isn't a URL.
        public var negotiateOrigins: [String] = []

        /// Creates the default configuration.
        public init() {}

        func engine() throws(NetError) -> EngineConfiguration {
            let offered: EngineConfiguration.Version =
                switch version {
                case .http1: .http1
                case .http2: .http2OverTLS
                case .http2PriorKnowledge: .http2PriorKnowledge
                }
            var result = EngineConfiguration(
                connection: try ConnectionSettings(
                    tls: tls, proxy: proxy, connection: connection, version: offered,
                    negotiateOrigins: negotiateOrigins))
            result.version = offered
            result.maximumTransfers = max(1, maximumTransfers)
            result.streamBuffer = max(64 << 10, streamBuffer)
            result.receiveWindow = max(64 << 10, receiveWindow)
            result.idleConnectionLife = idleConnectionLife
            result.connectionLife = connectionLife
            result.maximumConnectionsPerHost = maximumConnectionsPerHost
            result.headLimits.bytes = max(1024, maximumHeaderBytes)
            result.headLimits.interimResponses = max(0, maximumInterimResponses)
            return result
        }
    }
}
#endif
