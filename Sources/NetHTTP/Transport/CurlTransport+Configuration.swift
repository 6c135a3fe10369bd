#if os(Linux)
internal import NetCurl
public import NetCore

extension CurlTransport {
    /// How a transport connects, and its limits.
    public struct Configuration: Sendable {
        /// Which HTTP versions are offered.
        public enum Version: Sendable, Hashable {
            /// HTTP/1.1 alone.
            case http1
            /// HTTP/2 where the server agrees by ALPN, else HTTP/1.1; HTTP/1.1 without TLS.
            case http2
            /// HTTP/2 at once, also without TLS.
            case http2PriorKnowledge
        }

        /// HTTP versions. Default ``Version/http2``.
        public var version = Version.http2
        /// Trusted authorities, client certificate, pins, versions of TLS.
        public var tls = TLSConfiguration()
        /// Proxies. Default ``ProxyConfiguration/environment``.
        public var proxy = ProxyConfiguration.environment
        /// Addresses, Unix sockets, DNS, TCP.
        public var connection = ConnectionConfiguration()
        /// Transfers that run at once; more wait in line. Default 1,024.
        public var maximumTransfers = 1024
        /// Bytes of a streamed body that wait for a slow reader before the transfer pauses. Default 1 MiB.
        public var streamBuffer = 1 << 20
        /// About how many bytes of a streamed body the kernel holds beyond that. Default 1 MiB:
        /// about 80 Mbit/s at 100 ms; raise it for fast servers far away.
        public var receiveWindow = 1 << 20
        /// How long an idle connection is kept for the next request, in whole seconds. Default 90 s.
        public var idleConnectionLife = Duration.seconds(90)
        /// How old a connection may be when another request uses it, in whole seconds, so that servers which moved are found; nil
        /// for any age, the default.
        public var connectionLife: Duration?
        /// The most connections to one host and port, idle ones among them; more calls wait in line. Streamed calls have
        /// connections of their own, for which it counts anew. nil for no limit but ``maximumTransfers``, the default: the
        /// line for each host costs a third more CPU.
        public var maximumConnectionsPerHost: Int?
        /// The most bytes of all header sections of one response together, trailers and interim responses among them; one more
        /// is `.headersTooLarge`. Default 256 KiB. libcurl reads no line of more than about 100 KB,
        /// and on HTTP/2 bounds the header section too; that is the same error.
        public var maximumHeaderBytes = 256 << 10
        /// The most interim (1xx) responses before a response; one more is `.tooManyInterimResponses`. Default 64.
        public var maximumInterimResponses = 64
        /// The most decoded bytes of a coded body for each byte received, once a mebibyte was decoded; one more is
        /// `.bodyTooLarge`. nil for no limit. Default 250: what people write stays below 30, a bomb is above 1,000.
        public var maximumExpansion: Double? = 250

        /// The network's status, such as a ``NetworkMonitor``: when the way to other machines changes, idle connections and names
        /// that were looked up aren't used any more. Transfers that run go on. Default nil: nobody watches.
        public var network: (any NetworkStatusProvider)?
        /// The origins to which the current user's Kerberos ticket is sent (Negotiate, RFC 4559): scheme, host and port, such as
        /// `https://intranet.example.com`. Default none. No other origin gets it, whatever a redirect or a URL says, and no
        /// request with an `Authorization` of its own. Such servers speak HTTP/1.1, and authenticate connections.
        ///
        /// `.unsupported` if libcurl was built without it, `.invalidRequest` if a text isn't a URL.
        public var negotiateOrigins: [String] = []

        /// The defaults.
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
