#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
extension URLSessionTransport {
    /// Whom a transport trusts, and its limits.
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

        /// Certificates. Default ``Trust/system``. App Transport Security applies as well.
        public var trust = Trust.system
        /// SHA-256 of the public keys (SubjectPublicKeyInfo) that a server may have, in base64, one of which must be in its
        /// chain. Default none: any key of a trusted certificate.
        public var pins: Set<String> = []
        /// Connections to one host on HTTP/1.1; more requests wait in line. Default 6.
        public var maximumConnectionsPerHost = 6
        /// Bytes of a streamed body that wait for a slow reader before the task is suspended. Default 1 MiB.
        public var streamBuffer = 1 << 20

        /// The defaults.
        public init() {}
    }
}
#endif
