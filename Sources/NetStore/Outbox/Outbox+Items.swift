internal import NetCore

extension Outbox {
    /// Returns the items in the order of their addition, including those of other processes.
    ///
    /// - Parameters:
    ///   - states: The states. Default all; finished items are kept up to ``Configuration/keptFinishedItems``.
    ///   - id: The number of the item after which the list begins. Default 0: the list begins with the first item.
    ///   - limit: The maximum number of items. Default 100.
    public func items(
        in states: Set<OutboxItem.State> = Set(OutboxItem.State.allCases), after id: OutboxItem.ID = 0, limit: Int = 100
    ) async throws(OutboxError) -> [OutboxItem] {
        let redaction = configuration.redaction
        return try await read { tables throws(StoreError) in
            try tables.items(states, after: id, limit: limit, redaction)
        }
    }

    /// Returns the item; nil if it doesn't exist or was finished and deleted.
    public func item(id: OutboxItem.ID) async throws(OutboxError) -> OutboxItem? {
        let redaction = configuration.redaction
        return try await read { tables throws(StoreError) in try tables.item(id, redaction) }
    }

    /// Makes a parked item sendable again: with the same key, in its place in the order, and with its full original
    /// time until it expires. Makes a waiting item due now. Has no effect on an item that is queued or being sent.
    ///
    /// Throws `.notFound`, `.finished` or `.store`. Works from any process.
    public func retry(_ id: OutboxItem.ID) async throws(OutboxError) {
        let (now, job) = (now, newID())
        try await change(id, .queued) { tables throws(StoreError) in try tables.retry(id, newJob: job, now: now) }
    }

    /// Drops an item: it's never sent again, and its headers and body are deleted. A send under way isn't interrupted;
    /// its response is ignored.
    ///
    /// Throws `.notFound`, `.finished` or `.store`. Works from any process.
    public func drop(_ id: OutboxItem.ID) async throws(OutboxError) {
        let (now, kept) = (now, configuration.keptFinishedItems)
        try await change(id, .cancelled) { tables throws(StoreError) in
            try tables.drop(id, now: now, keptFinished: kept)
        }
    }

    private func change(
        _ id: OutboxItem.ID, _ state: JobActivity.State,
        _ body: @escaping @Sendable (OutboxTables) throws(StoreError) -> OutboxTables.Change
    ) async throws(OutboxError) {
        let redaction = configuration.redaction
        let (change, _) = try await write { tables throws(StoreError) in
            (try body(tables), try tables.item(id, redaction))
        } committed: { [self] change, item in
            guard case .done(let position) = change, let item else { return }
            if let position { jobs.report(state, position, .init(item), attempts: item.attempts) }
            publish(item)
        }
        switch change {
        case .unknown: throw .notFound(id)
        case .finished: throw OutboxError(.finished, message: "item \(id) is completed or dropped")
        case .done: signal.raise()
        }
    }
}
