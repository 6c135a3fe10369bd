public import NetCore

extension Outbox {
    /// Sends the items of the outbox, and those added later, until the task is cancelled; then it returns. No work
    /// continues after the return.
    ///
    /// Only one sender is active: while another process, or another outbox on the same file, is sending, this method
    /// waits. It takes over when the other sender ends, even by a crash. When the task is cancelled, requests under way
    /// are cancelled and queued again; the next sender sends them with the same key.
    ///
    /// Throws `.store` if the file can't be read or written. Requests under way are then cancelled; run it again later.
    ///
    /// A request with ``NetCore/CallIdentity/named(_:)`` as its identity is sent only while the sender has that name, so
    /// that it goes out as the user who made it. Until then, it is held: it isn't parked, later requests with its order
    /// key wait for it, others don't, and it expires like any other. Requests without a name are sent by any sender.
    ///
    /// - Parameters:
    ///   - client: The client that sends the requests and adds its base URL, headers and credentials. It adds no
    ///     credentials to requests to origins other than that of its base URL. Its own retry middleware doesn't affect
    ///     requests of the outbox.
    ///   - user: The name of the user that the client sends as. Default nil: the name that the client's credential
    ///     providers give, such as `RefreshingCredentials.Configuration.identity`, which may change at any time.
    public func run(through client: any APIClient, as user: String? = nil) async throws(OutboxError) {
        guard let lease = try await lease() else { return }
        // Keeps the lock until no send is under way.
        defer { withExtendedLifetime(lease) {} }
        try await OutboxSender(outbox: self, client: client, user: user).run()
    }

    /// Waits for the right to send; returns nil if the task is cancelled.
    private func lease() async throws(OutboxError) -> OutboxLease? {
        let path = path
        while !Task.isCancelled {
            let lease = try await read { _ throws(StoreError) in try OutboxLease.take(besides: path) }
            if let lease { return lease }
            try? await configuration.clock.sleep(for: configuration.senderPollInterval)
        }
        return nil
    }
}
