internal import HTTPTypes
public import NetCore

extension Outbox {
    /// Stores a request and returns its number once it's on the disk: from then on, it survives a crash of the machine.
    /// Requests added at the same time share a flush. If the call throws, the request isn't accepted.
    ///
    /// The outbox stores the method, path, query, headers, body, metadata, the accepted statuses and the caller's
    /// idempotency key (``RequestOptions/idempotencyKey``); the body is encoded and read now. `Authorization`,
    /// `Proxy-Authorization`, `Cookie` and headers that the redaction policy names are omitted. Other options have no
    /// effect.
    ///
    /// Throws `.invalidRequest` for a request that can't be prepared, or that depends on closures, middleware or a
    /// server relative to the client's; `.credentialInURL`, `.bodyTooLarge`, `.bodyNotReplayable` and `.full`; `.store`
    /// if the file can't be written. Cancellation doesn't interrupt the write.
    ///
    /// - Parameters:
    ///   - request: The request. A request relative to the base URL is sent relative to that of the sending client.
    ///   - orderKey: The key within which requests are sent strictly in the order of their addition. Default nil: no
    ///     order.
    ///   - expiresAfter: Replaces ``Configuration/expiresAfter`` for this request. Default nil: the configured value
    ///     applies.
    @discardableResult
    public func add<R: APIRequest>(
        _ request: R, orderKey: String? = nil, expiresAfter: Duration? = nil
    ) async throws(OutboxError) -> OutboxItem.ID {
        let draft = try await OutboxDraft.make(request, configuration: configuration)
        return try await add(draft, orderKey, expiresAfter)
    }

    /// Stores a prepared request with an absolute URL; see ``add(_:orderKey:expiresAfter:)-(R,_,_)``.
    @discardableResult
    public func add(
        _ request: PreparedRequest, orderKey: String? = nil, expiresAfter: Duration? = nil
    ) async throws(OutboxError) -> OutboxItem.ID {
        let draft = try await OutboxDraft.make(request, configuration: configuration)
        return try await add(draft, orderKey, expiresAfter)
    }

    private func add(
        _ draft: OutboxDraft, _ orderKey: String?, _ expiresAfter: Duration?
    ) async throws(OutboxError) -> OutboxItem.ID {
        let key = draft.idempotencyKey ?? newID().description
        let job = newID()
        let now = now
        let lifetime = (expiresAfter ?? configuration.expiresAfter).map { max(0, StoredTime.microseconds(of: $0)) }
        let (configuration, jobs) = (configuration, jobs)
        let subject = OutboxJobs.Subject(draft.metadata, url: draft.redaction.redact(url: draft.target))
        let result = try await write { tables throws(StoreError) in
            try tables.add(
                draft, orderKey: orderKey, key: key, job: job, now: now, lifetime: lifetime, configuration)
        } committed: {
            if case .added = $0 { jobs.report(.queued, .init(job: job, sequence: 1), subject, attempts: 0) }
        }
        switch result {
        case .full(let items, let bytes):
            throw OutboxError(
                .full,
                message:
                    "the outbox has \(items) items of \(bytes) bytes; its limits are \(configuration.maximumItems) "
                    + "items of \(configuration.maximumTotalBytes) bytes; send or drop some, or wait")
        case .added(let id):
            signal.raise()
            return id
        }
    }
}
