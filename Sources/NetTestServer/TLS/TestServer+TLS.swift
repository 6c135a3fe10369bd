#if Server
public import NetTesting

extension TestServer {
    /// The certificate that a server makes for itself at its start, signed by an authority of its own.
    ///
    ///     let expired = TestServer.TLS(validFrom: .seconds(-7200), validFor: .seconds(3600))
    ///     let wrongHost = TestServer.TLS(hosts: ["example.com"])
    public struct TLS: Sendable, Hashable {
        /// Host names and addresses the certificate is for. Default `localhost`, `127.0.0.1`, `::1`.
        public var hosts: [String]
        /// When it becomes valid, from now. Default an hour ago.
        public var validFrom: Duration
        /// How long it is valid from then on. Default 30 days.
        public var validFor: Duration

        /// What is wrong with the handshakes of the first connections, in their order; nil for one that succeeds. Later ones
        /// succeed. Default none: all do.
        ///
        ///     var tls = TestServer.TLS()
        ///     tls.handshakes = [.cutInHandshake, .expired, nil, .cutInHandshake]
        public var handshakes: [Fault.TLS?] = []

        /// What is wrong with the handshake apart from time and hosts. Default nil.
        var fault: Fault.TLS?

        /// Makes settings.
        public init(
            hosts: [String] = ["localhost", "127.0.0.1", "::1"], validFrom: Duration = .seconds(-3600),
            validFor: Duration = .seconds(30 * 86_400)
        ) {
            self.hosts = hosts
            self.validFrom = validFrom
            self.validFor = validFor
        }

        /// A handshake that cannot succeed.
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

        /// A certificate that expired an hour ago.
        public static let expired = TLS(validFrom: .seconds(-7200), validFor: .seconds(3600))
    }
}
#endif
