#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
public import NetCore

extension URLSessionTransport {
    /// A transport's TLS settings and limits.
    public struct Configuration: Sendable {
        /// Trusted authorities, pins, TLS versions; App Transport Security applies as well. A client certificate and
        /// cipher suites aren't supported: if one is set, every call throws `.unsupported`.
        public var tls = TLSConfiguration()
        /// The maximum number of HTTP/1.1 connections to one host; further requests wait. Default 6.
        public var maximumConnectionsPerHost = 6
        /// The number of bytes of a streamed body that are buffered for a slow consumer before the task is suspended.
        /// Default 1 MiB.
        public var streamBuffer = 1 << 20

        /// Creates the default configuration.
        public init() {}

        /// The first setting that isn't supported; nil if all are.
        var unsupported: String? {
            #if canImport(Darwin)
            if tls.identity != nil { return "tls.identity" }
            return tls.cipherList != nil ? "tls.cipherList" : tls.cipherSuites != nil ? "tls.cipherSuites" : nil
            #else
            return tls == TLSConfiguration() ? nil : "tls"
            #endif
        }
    }
}
#endif
