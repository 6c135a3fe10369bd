#if ServiceLifecycle
public import ServiceLifecycle

/// A client as a service of swift-service-lifecycle, with the trait `ServiceLifecycle`.
///
///     import ServiceLifecycle
///
///     let group = ServiceGroup(
///         services: [client], gracefulShutdownSignals: [.sigterm], logger: Logger(label: "app"))
///     try await group.run()
///
/// List the client before the services that use it: a group shuts its services down in reverse order.
extension HTTPClient: Service {
    /// The time that calls have to end by themselves during a graceful shutdown; the remaining ones are then ended.
    /// To shut down faster, set the group's `maximumGracefulShutdownDuration`. 30 s.
    public static var serviceGrace: Duration { .seconds(30) }

    /// Waits for the group's graceful shutdown, and then shuts the client down like ``shutdown(grace:)``. If the task
    /// is cancelled, calls are ended immediately.
    public func run() async throws {
        // Throws if the task is cancelled; calls then get no grace period.
        try? await gracefulShutdown()
        await shutdown(grace: Self.serviceGrace)
    }
}
#endif
