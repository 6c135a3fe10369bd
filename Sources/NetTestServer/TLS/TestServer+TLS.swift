#if Server
public import NetTesting

extension TestServer {
    /// The settings of the certificate that a server generates when it starts, signed by a separate authority.
    ///
    ///     let expired = TestServer.TLS(validFrom: .seconds(-7200), validFor: .seconds(3600))
    ///     let wrongHost = TestServer.TLS(hosts: ["example.com"])
    public struct TLS: Sendable, Hashable {
        /// The host names and addresses of the certificate. Default `localhost`, `127.0.0.1`, `::1`.
        public var hosts: [String]
        /// The start of its validity, relative to now. Default an hour ago.
        public var validFrom: Duration
        /// The duration of its validity. Default 30 days.
        public var validFor: Duration

        /// The faults of the first handshakes, in order; nil for a handshake that succeeds. Later handshakes succeed.
        /// Default empty: all handshakes succeed.
        ///
        ///     var tls = TestServer.TLS()
        ///     tls.handshakes = [.cutInHandshake, .expired, nil, .cutInHandshake]
        public var handshakes: [Fault.TLS?] = []

        /// The fault of the handshake, apart from validity and hosts. Default nil.
        var fault: Fault.TLS?

        /// Creates certificate settings.
        public init(
            hosts: [String] = ["localhost", "127.0.0.1", "::1"], validFrom: Duration = .seconds(-3600),
            validFor: Duration = .seconds(30 * 86_400)
        ) {
            self.hosts = hosts
            self.validFrom = validFrom
            self.validFor = validFor
        }

        /// Creates settings whose handshakes can't succeed.
        ///
        ///     let server = try await TestServer.start([.echo()], configuration: .tls(TestServer.TLS(.selfSigned)))
        public init(_ fault: Fault.TLS) {
            switch fault {
            case .expired: self = .expired
            case .wrongHost: self.init(hosts: ["example.com"])
            case .selfSigned, .cutInHandshake: self.init()
            }
            self.fault = fault
        }

        /// Settings for a certificate that expired an hour ago.
        public static let expired = TLS(validFrom: .seconds(-7200), validFor: .seconds(3600))
    }
}
#endif
