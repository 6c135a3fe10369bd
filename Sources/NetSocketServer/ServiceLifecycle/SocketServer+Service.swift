#if Server
#if ServiceLifecycle
public import ServiceLifecycle

/// A server as a service of swift-service-lifecycle, under the trait `ServiceLifecycle`.
///
/// ```text
/// let group = ServiceGroup(
///     services: [database, server], gracefulShutdownSignals: [.sigterm], logger: Logger(label: "app"))
/// try await group.run()
/// ```
///
/// When the group shuts down gracefully, ``SocketServer/run()`` drains as it does when its task is cancelled, and returns. It
/// takes up to ``SocketServerConfiguration/drainTimeout`` and twice ``SocketServerConfiguration/closeTimeout``. A server of
/// ``SocketServer/serve()`` drains then as well.
///
/// Name the server after what its handlers use: a group shuts its services down in reverse order.
extension SocketServer: Service {}

extension SocketServerCore {
    /// Drains when the service group that runs the caller shuts down gracefully.
    func drainingOnGracefulShutdown(_ body: @Sendable () async throws -> Void) async throws {
        try await withGracefulShutdownHandler {
            try await body()
        } onGracefulShutdown: {
            self.beginDraining()
        }
    }
}
#else
extension SocketServerCore {
    /// Nothing without the trait `ServiceLifecycle`.
    func drainingOnGracefulShutdown(_ body: @Sendable () async throws -> Void) async throws { try await body() }
}
#endif
#endif
