#if ServiceLifecycle
public import ServiceLifecycle

/// A client as a service of swift-service-lifecycle, under the trait `ServiceLifecycle`.
///
///     import ServiceLifecycle
///
///     let group = ServiceGroup(
///         services: [client], gracefulShutdownSignals: [.sigterm], logger: Logger(label: "app"))
///     try await group.run()
///
/// Name the client before what uses it: a group shuts its services down in reverse order.
extension HTTPClient: Service {
    /// How long calls may take to end by themselves when the group shuts down gracefully; then they are ended. A group that
    /// is to be quicker has `maximumGracefulShutdownDuration`. 30 s.
    public static var serviceGrace: Duration { .seconds(30) }

    /// Waits for the group's shutdown, and then shuts the client down as ``shutdown(grace:)`` does. Where the task is
    /// cancelled calls are ended at once.
    public func run() async throws {
        // It throws where the task is cancelled, and then no call gets its time.
        try? await gracefulShutdown()
        await shutdown(grace: Self.serviceGrace)
    }
}
#endif
