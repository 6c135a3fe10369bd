#if os(Linux)
internal import NetCore
internal import NetCurl

extension CurlWebSocketTransport {
    /// How a transport connects, and its limits.
    public struct Configuration: Sendable {
        /// Which server certificates are trusted.
        public enum Trust: Sendable, Hashable {
            /// The system's authorities.
            case system
            /// These authorities alone, in PEM.
            case certificates(pem: String)
            /// Any certificate for any name: only for a server on your own machine, never in production.
            case insecure
        }

        /// Where a proxy is configured. The connection goes through it as a tunnel (CONNECT), without TLS too.
        public enum Proxy: Sendable, Hashable {
            /// From `http_proxy` for `ws:`, `https_proxy` for `wss:`, `all_proxy` and `no_proxy`, read when the
            /// transport starts.
            case environment
            /// None.
            case none
            /// One proxy for all: `http://proxy.example:3128`. `exceptions` are hosts reached directly.
            case url(String, exceptions: [String] = [])
        }

        /// Certificates. Default ``Trust/system``.
        public var trust = Trust.system
        /// Proxy. Default ``Proxy/environment``.
        public var proxy = Proxy.environment
        /// Bytes of messages that wait to be received before the server is held back, for each connection. Default 1 MiB.
        public var inboxBytes = 1 << 20
        /// Bytes that wait to be sent before `send` suspends, for each connection. Default 1 MiB.
        public var sendBufferBytes = 1 << 20

        /// The defaults.
        public init() {}

        var engine: EngineConfiguration {
            var result = EngineConfiguration()
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
            return result
        }

        var limits: SocketLimits {
            SocketLimits(inboxBytes: max(1, inboxBytes), sendBufferBytes: max(1, sendBufferBytes))
        }
    }
}
#endif
