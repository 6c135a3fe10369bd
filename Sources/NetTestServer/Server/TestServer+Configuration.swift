#if Server
public import NetCore

extension TestServer {
    /// How a server listens, and the limits it keeps.
    public struct Configuration: Sendable {
        /// The address to bind; an IPv6 address without brackets. Default `127.0.0.1`.
        public var host = "127.0.0.1"
        /// The port; 0 takes a free one. Default 0.
        public var port = 0
        /// TLS with a certificate made for this server, under the trait `ServerTLS`; nil speaks plain HTTP. Default nil.
        public var tls: TLS?
        /// Offers HTTP/2: by ALPN over TLS, by prior knowledge without (RFC 9113 section 3.3). Default true; without the trait
        /// `ServerTLS`, there is HTTP/1.1 only.
        public var offersHTTP2 = true
        /// The largest head of a request, in bytes; a larger one gets 431. Default 64 KiB.
        public var maximumHeaderBytes = 64 << 10
        /// The largest body that is collected for a stub, in bytes; a larger one gets 413. Default 16 MiB.
        public var maximumBodyBytes = 16 << 20
        /// How much of each body the log keeps, in bytes. Default 64 KiB.
        public var maximumLoggedBodyBytes = 64 << 10
        /// How many requests the log keeps, the oldest making room. Default 10,000.
        public var maximumLoggedRequests = 10_000
        /// The size of the kernel's send buffer of each connection, in bytes; nil leaves it to the system. Default nil.
        ///
        /// A small one makes back-pressure visible early.
        public var sendBufferBytes: Int?
        /// The clock of every delay. Default the system's.
        public var clock: NetClock = .system

        /// The defaults.
        public init() {}

        /// The defaults with TLS.
        public static func tls(_ tls: TLS = TLS()) -> Configuration {
            var configuration = Configuration()
            configuration.tls = tls
            return configuration
        }
    }
}
#endif
