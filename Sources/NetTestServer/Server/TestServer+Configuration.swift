#if Server
public import NetCore

extension TestServer {
    /// The address, protocols and limits of a server.
    public struct Configuration: Sendable {
        /// The address to bind; an IPv6 address without brackets. Default `127.0.0.1`.
        public var host = "127.0.0.1"
        /// The port; 0 takes a free one. Default 0.
        public var port = 0
        /// TLS with a certificate generated for this server, with the trait `ServerTLS`; nil for plain HTTP. Default
        /// nil.
        public var tls: TLS?
        /// True to offer HTTP/2: by ALPN over TLS, by prior knowledge without TLS (RFC 9113 section 3.3). Default true;
        /// without the trait `ServerTLS`, only HTTP/1.1 is available.
        public var offersHTTP2 = true
        /// The maximum size of a request head, in bytes; a larger one gets status 431. Default 64 KiB.
        public var maximumHeaderBytes = 64 << 10
        /// The maximum size of a body that is collected for a stub, in bytes; a larger one gets status 413. Default 16
        /// MiB.
        public var maximumBodyBytes = 16 << 20
        /// The number of bytes of each body that the log keeps. Default 64 KiB.
        public var maximumLoggedBodyBytes = 64 << 10
        /// The number of requests that the log keeps; the oldest are dropped first. Default 10,000.
        public var maximumLoggedRequests = 10_000
        /// The size of the kernel's send buffer for each connection, in bytes; nil for the system's default. Default
        /// nil.
        ///
        /// A small buffer makes back-pressure visible early.
        public var sendBufferBytes: Int?
        /// The clock of every delay. Default the system's.
        public var clock: NetClock = .system

        /// Creates the default configuration.
        public init() {}

        /// Creates the default configuration with TLS.
        public static func tls(_ tls: TLS = TLS()) -> Configuration {
            var configuration = Configuration()
            configuration.tls = tls
            return configuration
        }
    }
}
#endif
