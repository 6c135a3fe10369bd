public import NetCore

extension Outbox {
    /// Sends what is and will be in the outbox, until the task is cancelled; then it returns. Nothing of it runs on
    /// afterwards.
    ///
    /// One sender at a time: while another process, or another outbox on the same file, sends, it waits, and takes over
    /// when that one ends, however it ends. When the task is cancelled, requests under way are cancelled and queued
    /// again, and sent with the same key by the next sender.
    ///
    /// Throws `.store` if the file can't be read or written. Requests under way are then cancelled; run it again later.
    ///
    /// - Parameter client: Sends the requests, and adds its base URL, headers and credentials to them. Requests whose
    ///   origin isn't that of its base URL get no credentials from it. Its own retry middleware has no effect on them.
    public func run(through client: any APIClient) async throws(OutboxError) {
        guard let lease = try await lease() else { return }
        // The lock is released when nothing is under way any more.
        defer { withExtendedLifetime(lease) {} }
        try await OutboxSender(outbox: self, client: client).run()
    }

    /// Waits for the right to send; nil if the task is cancelled.
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
