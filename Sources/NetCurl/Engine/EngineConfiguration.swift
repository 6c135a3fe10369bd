#if os(Linux)
internal import NetCore

/// How one engine connects, and its limits.
package struct EngineConfiguration: Sendable {
    /// Which HTTP versions are offered.
    package enum Version: Sendable, Equatable { case http1, http2OverTLS, http2PriorKnowledge }

    package var version = Version.http2OverTLS
    /// TLS, proxies, addresses: checked already.
    package let connection: ConnectionSettings
    /// Transfers that run at once; more wait in line.
    package var maximumTransfers = 1024
    /// Bytes of a streamed body that wait for its reader before the transfer pauses.
    package var streamBuffer = 1 << 20
    /// The most bytes of a streamed body that the kernel holds beyond that, about.
    package var receiveWindow = 1 << 20
    /// How long an idle connection may be used again.
    package var idleConnectionLife = Duration.seconds(90)
    /// How old a connection may be when it is used again; nil for any age.
    package var connectionLife: Duration?
    /// Connections to one host in one multi handle; nil for no limit of libcurl's, whose line costs 38% more CPU.
    package var maximumConnectionsPerHost: Int?

    package var headLimits = HeadLimits()

    package init(connection: ConnectionSettings) {
        self.connection = connection
    }
}

/// How much may come before a body.
package struct HeadLimits: Sendable, Equatable {
    /// The most bytes of all header sections of one response together, trailers and interim responses included.
    package var bytes = 256 << 10
    /// The most interim responses before the response.
    package var interimResponses = 64

    package init() {}
}

extension EngineConfiguration: CustomReflectable {
    /// No parts: routes have users and passwords of proxies, and TLS a private key.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
