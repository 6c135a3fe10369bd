#if os(Linux)
package import NetCore

/// How one engine connects, and its limits.
package struct EngineConfiguration: Sendable, Equatable {
    /// Which HTTP versions are offered.
    package enum Version: Sendable, Equatable { case http1, http2OverTLS, http2PriorKnowledge }

    /// Which certificates are trusted.
    package enum Trust: Sendable, Equatable {
        case system
        /// These alone, in PEM.
        case certificates(Bytes)
        /// Any: nothing is verified.
        case none
    }

    package var version = Version.http2OverTLS
    package var trust = Trust.system
    package var proxy = ProxySettings.none
    /// Transfers that run at once; more wait in line.
    package var maximumTransfers = 1024
    /// Bytes of a streamed body that wait for its reader before the transfer pauses.
    package var streamBuffer = 1 << 20
    /// The most bytes of a streamed body that the kernel holds beyond that, about.
    package var receiveWindow = 1 << 20
    /// libcurl's receive buffer.
    package var receiveBufferSize = 64 << 10
    /// How long an idle connection may be used again.
    package var idleConnectionLife = Duration.seconds(90)

    package var headLimits = HeadLimits()

    package init() {}
}

/// How much may come before a body.
package struct HeadLimits: Sendable, Equatable {
    /// The most bytes of all header sections of one response together, trailers and interim responses included.
    package var bytes = 256 << 10
    /// The most interim responses before the response.
    package var interimResponses = 64

    package init() {}
}
#endif
