internal import HTTPTypes
internal import NetCore
internal import NetCrypto

/// Sends the items of an outbox until its task is cancelled. The caller must hold the lease.
struct OutboxSender: Sendable {
    /// The result of a child task.
    private enum Event: Sendable {
        case woken
        case sent(OutboxItem.ID)
        case failed(OutboxError)
    }

    /// The maximum wait before checking the clock again: a wall clock can be changed.
    private static let longestWait: Duration = .seconds(60)

    let outbox: Outbox
    let client: any APIClient
    /// The name of the user that sends; nil for the names that the client's credentials have.
    let user: String?

    /// The interval at which the client's user is asked while items wait for theirs.
    static let userInterval: Duration = .seconds(5)

    private var configuration: Outbox.Configuration { outbox.configuration }

    /// Returns when the task is cancelled; throws if the file can't be read or written. By then, all sends have ended.
    func run() async throws(OutboxError) {
        let now = outbox.now
        try await outbox.write { tables throws(StoreError) in try tables.releaseAll(now: now) }
        let result: Result<Void, OutboxError> = await withTaskGroup(of: Event.self) { group in
            group.addTask {
                for await _ in outbox.changes.subscribe() { outbox.signal.raise() }
                return .woken
            }
            defer { group.cancelAll() }
            do throws(OutboxError) {
                try await work(in: &group)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func work(in group: inout TaskGroup<Event>) async throws(OutboxError) {
        var queue = OutboxQueue(
            maximumSends: configuration.maximumConcurrentSends, parkedItemsBlock: configuration.parkedItemsBlock)
        var (revision, time): (Int64, Int64) = (0, 0)
        /// The time until which a child task waits; nil if none is waiting.
        var wake: Int64?
        while !Task.isCancelled {
            let now = outbox.now
            // If the wall clock was set back, reads all items again to adjust their waits.
            let last = now < time ? 0 : revision
            time = now
            let changes = try await outbox.read { tables throws(StoreError) in try tables.changes(after: last, now: now)
            }
            revision = changes.revision
            queue.setSender(names(await login()))
            for entry in changes.entries { queue.update(entry) }
            let step = queue.next(now: outbox.now)
            for id in step.expired { try await expire(id) }
            for id in step.send { group.addTask { await send(id) } }
            var next = step.wake ?? .max
            if queue.hasHeldItems { next = min(next, now.addingOrMax(StoredTime.microseconds(of: Self.userInterval))) }
            if let current = wake {
                if next < current { outbox.signal.raise() }
            } else {
                let limit = min(Self.longestWait, .microseconds(max(0, next.subtractingOrMax(outbox.now))))
                wake = next
                group.addTask {
                    await outbox.signal.wait(atMost: limit, on: configuration.clock)
                    return .woken
                }
            }
            switch await group.next() {
            case .woken, nil: wake = nil
            case .sent(let id): queue.sendEnded(id)
            case .failed(let error): throw error
            }
        }
    }

    /// Returns the logins that the client's credentials belong to now; nil if there are none.
    private func login() async -> CallLogin? {
        guard let client = client as? any LoginKnowing,
            let request = try? client.prepare(Request<Bytes>("", serializer: .bytes))
        else { return nil }
        return await client.login(of: request)
    }

    private func names(_ login: CallLogin?) -> [String] { user.map { [$0] } ?? login?.names ?? [] }

    private func expire(_ id: OutboxItem.ID) async throws(OutboxError) {
        let (now, redaction, outbox) = (outbox.now, configuration.redaction, outbox)
        // The item is read in the same transaction: another process may change it right afterwards.
        _ = try await outbox.write { tables throws(StoreError) -> OutboxTables.Changed? in
            try tables.expire(id, now: now).flatMap { position throws(StoreError) in
                try tables.item(id, redaction).map { .init(position: position, item: $0) }
            }
        } committed: { changed in
            guard let changed else { return }
            let item = changed.item
            let error = NetError(
                .timeout, phase: .preparing, message: "the item expired before the server accepted it")
            outbox.jobs.report(
                .failed, changed.position, .init(item), attempts: item.attempts, failure: error, parked: .expired)
            outbox.publish(item)
        }
    }

    private func send(_ id: OutboxItem.ID) async -> Event {
        do throws(OutboxError) {
            let (now, outbox, redaction) = (outbox.now, outbox, configuration.redaction)
            let begun = try await outbox.write { tables throws(StoreError) in
                try tables.begin(id, now: now)
            } committed: { begun in
                guard let begun else { return }
                outbox.jobs.report(.running, begun.position, begun.subject(redaction), attempts: begun.attempt.attempts)
            }
            if let begun { try await send(begun) }
            return .sent(id)
        } catch {
            return .failed(error)
        }
    }

    private func send(_ send: OutboxSend) async throws(OutboxError) {
        let subject = send.subject(configuration.redaction)
        let attempts = send.attempt.attempts
        let (jobs, next) = (outbox.jobs, send.position.next)
        // The user may have changed since the item had its turn.
        let login = await login()
        let isHeld = send.owner?.contains(exactly: names(login)) == false
        var result: SendResult?
        if !isHeld {
            let request = OutboxRequest(send, login) { call in
                jobs.report(.running, next, subject, attempts: attempts, call: call)
            }
            result = await self.result(of: request)
        }
        let isUnsent =
            result.map { result in
                guard case .failure(let error) = result.decisive else { return false }
                return Task.isCancelled || error.underlying is LoginIsGone
            } ?? true
        guard let result, !isUnsent else {
            // The item will be sent again with the same key: the server may have received it.
            let now = outbox.now
            _ = try await outbox.write { tables throws(StoreError) in
                try tables.release(send.id, now: now)
            } committed: { position in
                if let position { jobs.report(.queued, position, subject, attempts: attempts) }
            }
            return try await reportDrop(of: send, subject)
        }
        try await end(send, result, subject)
        try await reportDrop(of: send, subject)
    }

    /// Reports the end of the job if another process has dropped the item in the meantime.
    private func reportDrop(of send: OutboxSend, _ subject: OutboxJobs.Subject) async throws(OutboxError) {
        let (jobs, attempts) = (outbox.jobs, send.attempt.attempts)
        guard jobs.isRunning(send.position.job) else { return }
        let position = try await outbox.read { tables throws(StoreError) in try tables.position(of: send.id) }
        if let position { jobs.report(.cancelled, position, subject, attempts: attempts) }
    }

    /// The result of a request.
    private struct SendResult: Sendable {
        let decisive: RetryDecision.Result
        let response: OutboxResponse?
        let error: NetError?
    }

    private func result(of request: OutboxRequest) async -> SendResult {
        do throws(APIError<Never>) {
            let response = try await client.stream(request)
            // The status decides. The received part of the body is kept, even if the connection breaks within it.
            let limit = max(1, configuration.keptResponseBytes)
            let beginning = try? await response.body.beginning(upTo: limit)
            let bytes = beginning.map { [UInt8]($0.bytes) } ?? []
            let policy = configuration.redaction.hiding(response.secrets)
            let kept = policy.redact(body: bytes, contentType: response[.contentType])
            return SendResult(
                decisive: .response(status: response.status.code, retryAfter: response[.retryAfter]),
                response: OutboxResponse(
                    status: response.status.code, headers: policy.redact(response.headers),
                    body: Bytes(kept), isCut: beginning.map { !$0.isWhole } ?? true), error: nil)
        } catch {
            let error = error.netError ?? NetError(.unknown, phase: .receiving, message: "the request failed")
            return SendResult(decisive: .failure(error), response: nil, error: error)
        }
    }

    private func end(_ send: OutboxSend, _ result: SendResult, _ subject: OutboxJobs.Subject) async throws(OutboxError)
    {
        let date = configuration.clock.date()
        let decision = OutboxDecision.decide(
            result.decisive, send.attempt, policy: configuration.retryPolicy, date: date,
            random: configuration.random.unit())
        let (now, kept) = (StoredTime.microseconds(of: date), configuration.keptFinishedItems)
        let failure = result.error.map { OutboxItem.Failure(code: $0.code.rawValue, message: $0.message) }
        // The body is kept only for a response that wasn't accepted.
        let response = decision == .complete ? result.response?.withoutBody : result.response
        let error =
            result.error
            ?? result.response.map { response in
                NetError(
                    .unacceptableStatus, phase: .receiving,
                    message: "the server responded with status \(response.status)")
            }
        let (state, reason): (JobActivity.State, OutboxItem.ParkReason?) =
            switch decision {
            case .complete: (.completed, nil)
            case .wait: (.waiting, nil)
            case .park(let reason): (.failed, reason)
            }
        let (redaction, outbox) = (configuration.redaction, outbox)
        _ = try await outbox.write { tables throws(StoreError) -> OutboxTables.Changed? in
            let position = try tables.end(send.id, decision, response, failure, now: now, keptFinished: kept)
            return try position.flatMap { position throws(StoreError) in
                try tables.item(send.id, redaction).map { .init(position: position, item: $0) }
            }
        } committed: { changed in
            guard let changed else { return }
            outbox.jobs.report(
                state, changed.position, subject, attempts: send.attempt.attempts, bytes: send.body?.count ?? 0,
                failure: decision == .complete ? nil : error, parked: reason)
            outbox.publish(changed.item)
        }
    }
}

extension OutboxSend {
    fileprivate func subject(_ redaction: RedactionPolicy) -> OutboxJobs.Subject {
        .init(metadata, url: redaction.redact(url: target))
    }
}

extension OutboxResponse {
    fileprivate var withoutBody: OutboxResponse {
        OutboxResponse(status: status, headers: headers, isCut: !body.isEmpty)
    }
}

extension OutboxTables.JobPosition {
    fileprivate var next: OutboxTables.JobPosition { .init(job: job, sequence: sequence + 1) }
}

extension Int64 {
    /// Returns the difference, or `Int64.max` on overflow.
    fileprivate func subtractingOrMax(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? .max : difference
    }
}
