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
    /// - Parameter client: The client that sends the requests and adds its base URL, headers and credentials. It adds
    ///   no credentials to requests to other origins than that of its base URL. Its own retry middleware has no effect
    ///   on them.
    public func run(through client: any APIClient) async throws(OutboxError) {
        guard let lease = try await lease() else { return }
        // Keeps the lock until no send is under way.
        defer { withExtendedLifetime(lease) {} }
        try await OutboxSender(outbox: self, client: client).run()
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
