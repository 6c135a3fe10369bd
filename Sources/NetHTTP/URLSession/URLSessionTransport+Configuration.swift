#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
public import NetCore

extension URLSessionTransport {
    /// Whom a transport trusts, and its limits.
    public struct Configuration: Sendable {
        /// Trusted authorities, pins, versions of TLS; App Transport Security applies as well. A client certificate and
        /// ciphers cannot be set: with one, every call throws `.unsupported`.
        public var tls = TLSConfiguration()
        /// Connections to one host on HTTP/1.1; more requests wait in line. Default 6.
        public var maximumConnectionsPerHost = 6
        /// Bytes of a streamed body that wait for a slow reader before the task is suspended. Default 1 MiB.
        public var streamBuffer = 1 << 20

        /// The defaults.
        public init() {}

        /// The setting that cannot be kept; nil when all can.
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
