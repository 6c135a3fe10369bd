#if Server
#if ServiceLifecycle
public import ServiceLifecycle

/// Makes a server a service of swift-service-lifecycle, under the trait `ServiceLifecycle`.
///
/// ```text
/// let group = ServiceGroup(
///     services: [database, server], gracefulShutdownSignals: [.sigterm], logger: Logger(label: "app"))
/// try await group.run()
/// ```
///
/// When the group shuts down gracefully, ``SocketServer/run()`` drains as it does when its task is cancelled, and
/// returns. This takes up to ``SocketServerConfiguration/drainTimeout`` and a second; clients that don't respond to a
/// close frame add up to twice ``SocketServerConfiguration/closeTimeout``. ``SocketServer/serve()`` also drains then.
///
/// List the server after the services that its handlers use: a group shuts its services down in reverse order.
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
    /// Only runs the body without the trait `ServiceLifecycle`.
    func drainingOnGracefulShutdown(_ body: @Sendable () async throws -> Void) async throws { try await body() }
}
#endif
#endif
