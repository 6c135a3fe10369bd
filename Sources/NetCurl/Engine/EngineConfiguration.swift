#if os(Linux)
internal import NetCore

/// The connection settings and limits of an engine.
package struct EngineConfiguration: Sendable {
    /// The HTTP versions that are offered.
    package enum Version: Sendable, Equatable { case http1, http2OverTLS, http2PriorKnowledge }

    package var version = Version.http2OverTLS
    /// Validated settings for TLS, proxies and addresses.
    package let connection: ConnectionSettings
    /// The maximum number of concurrent transfers; others wait in a queue. Default 1,024.
    package var maximumTransfers = 1024
    /// The number of unread bytes of a streamed body at which the transfer pauses. Default 1 MiB.
    package var streamBuffer = 1 << 20
    /// The approximate maximum number of additional bytes of a streamed body that the kernel buffers. Default 1 MiB.
    package var receiveWindow = 1 << 20
    /// The time after which an idle connection is no longer reused. Default 90 seconds.
    package var idleConnectionLife = Duration.seconds(90)
    /// The maximum age of a reused connection; nil for no limit. Default nil.
    package var connectionLife: Duration?
    /// The maximum number of connections to one host per multi handle; nil for no limit. With a limit, transfers wait
    /// in libcurl's own queue, which costs 38% more CPU. Default nil.
    package var maximumConnectionsPerHost: Int?

    package var headLimits = HeadLimits()

    package init(connection: ConnectionSettings) {
        self.connection = connection
    }
}

/// The limits for the header sections of a response.
package struct HeadLimits: Sendable, Equatable {
    /// The maximum total size of a response's header sections in bytes, including trailers and interim responses.
    /// Default 256 KiB.
    package var bytes = 256 << 10
    /// The maximum number of interim responses before the final one. Default 64.
    package var interimResponses = 64

    package init() {}
}

extension EngineConfiguration: CustomReflectable {
    /// An empty mirror: routes contain proxy credentials, and TLS settings a private key.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
