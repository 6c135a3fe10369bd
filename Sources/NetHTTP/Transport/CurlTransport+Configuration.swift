#if os(Linux)
internal import NetCurl
internal import NetCore

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

        /// Which server certificates are trusted.
        public enum Trust: Sendable, Hashable {
            /// The system's authorities.
            case system
            /// These authorities alone, in PEM.
            case certificates(pem: String)
            /// Any certificate for any name: only for a server on your own machine, never in production.
            case insecure
        }

        /// Where a proxy is configured.
        public enum Proxy: Sendable, Hashable {
            /// From `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, read when the transport starts.
            case environment
            /// None.
            case none
            /// One proxy for all: `http://proxy.example:3128`. `exceptions` are hosts reached directly.
            case url(String, exceptions: [String] = [])
        }

        /// HTTP versions. Default ``Version/http2``.
        public var version = Version.http2
        /// Certificates. Default ``Trust/system``.
        public var trust = Trust.system
        /// Proxy. Default ``Proxy/environment``.
        public var proxy = Proxy.environment
        /// Transfers that run at once; more wait in line. Default 1,024.
        public var maximumTransfers = 1024
        /// Bytes of a streamed body that wait for a slow reader before the transfer pauses. Default 1 MiB.
        public var streamBuffer = 1 << 20
        /// About how many bytes of a streamed body the kernel holds beyond that. Default 1 MiB:
        /// about 80 Mbit/s at 100 ms; raise it for fast servers far away.
        public var receiveWindow = 1 << 20
        /// How long an idle connection is kept for the next request. Default 90 s.
        public var idleConnectionLife = Duration.seconds(90)
        /// The most decoded bytes of a body in gzip or deflate for each byte received, once a mebibyte was decoded; one more
        /// is `.bodyTooLarge`. nil for no limit. Default 250: what people write stays below 30, a bomb is above 1,000.
        public var maximumExpansion: Double? = 250

        /// The defaults.
        public init() {}

        var engine: EngineConfiguration {
            var result = EngineConfiguration()
            switch version {
            case .http1: result.version = .http1
            case .http2: result.version = .http2OverTLS
            case .http2PriorKnowledge: result.version = .http2PriorKnowledge
            }
            switch trust {
            case .system: result.trust = .system
            case .certificates(let pem): result.trust = .certificates(Bytes(pem.utf8))
            case .insecure: result.trust = .none
            }
            switch proxy {
            case .environment: result.proxy = .environment()
            case .none: result.proxy = .none
            case .url(let url, let exceptions):
                result.proxy = ProxySettings(http: url, https: url, exceptions: exceptions.joined(separator: ","))
            }
            result.maximumTransfers = max(1, maximumTransfers)
            result.streamBuffer = max(64 << 10, streamBuffer)
            result.receiveWindow = max(64 << 10, receiveWindow)
            result.idleConnectionLife = idleConnectionLife
            return result
        }
    }
}
#endif
