internal import HTTPTypes
internal import NetCore
internal import NetCrypto
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The remaining work after a change: runs to wait for, then journals to write.
struct DownloadChange: Sendable {
    var runs: [Task<Void, Never>] = []
    var ids: [UUID] = []
}

extension DownloadBoard {
    typealias Queue = DownloadQueue<UUID>

    /// Adds a download whose journal isn't written yet; returns the content of the journal.
    ///
    /// - Parameters:
    ///   - upload: The file to upload; nil for a download.
    ///   - login: The logins that all requests must be sent with; nil for none.
    func add(
        _ id: UUID, _ request: DownloadRequest, _ place: DownloadPlace, _ date: Date, upload: UploadIdentity? = nil,
        login: CallLogin?
    ) throws(DownloadError) -> DownloadIdentity {
        while true {
            // The request's closure is called without the lock.
            let status = state.withLock { $0.status }
            if status == nil, request.network.isRestricted { throw .networkUnknown(request.network, url: request.url) }
            let verdict = request.network.verdict(on: status)
            let identity = try change { (state, effects) throws(DownloadError) -> DownloadIdentity? in
                if state.observers.hasEnded { throw .shutDown }
                guard state.status == status else { return nil }
                let order: Int64
                do throws(Queue.Refusal) {
                    order = try state.queue.add(
                        id, url: place.url, host: place.host, priority: request.priority,
                        isAllowed: verdict == .isAllowed)
                } catch {
                    throw Self.error(error, url: request.url, limit: state.queue.limit)
                }
                let task = DownloadTask(
                    id: id, request: request, kind: upload == nil ? .download : .upload, createdAt: date)
                insert(task, request, upload, place, order, &state, &effects) { record in
                    record.login = login
                    record.owner = SealedNames(login?.names ?? [], random: random)
                }
                return state.records[id]?.identity(isPaused: false)
                    ?? DownloadIdentity(id: id, url: request.url, createdAt: date)
            }
            // Otherwise, the network has changed meanwhile.
            if let identity { return identity }
        }
    }

    func insert(
        _ task: DownloadTask, _ request: DownloadRequest, _ upload: UploadIdentity?, _ place: DownloadPlace,
        _ order: Int64, _ state: inout State, _ effects: inout DownloadEffects,
        _ change: (inout DownloadRecord) -> Void = { _ in }
    ) {
        var record = DownloadRecord(task, request, place, order: order)
        record.upload = upload
        change(&record)
        log.enqueued(record)
        jobs.record(&record)
        state.records[task.id] = record
        state.observers.tell(record, .added, nil, &effects)
    }

    /// Called once the journal is written. Returns false if the journal is already outdated.
    func wasAdded(_ id: UUID) -> Bool {
        change { state, effects in
            guard let record = state.records[id] else { return false }
            let actions = state.queue.wasAdded(id)
            perform(actions, &state, &effects)
            return !state.queue.isPaused(id) && state.records[id]?.task.priority == record.request.priority
        }
    }

    func wasNotAdded(_ id: UUID) {
        change { state, effects in
            state.queue.wasNotAdded(id)
            remove(id, &state, &effects)
        }
    }

    /// The supplements to a journal.
    struct Restoring: Sendable {
        /// The login that the client has now.
        var login: CallLogin?
        /// The values of the headers that the request had.
        var headers: HTTPFields?
        /// The error of a task that isn't retried; nil for the others.
        var failure: DownloadError?
    }

    /// Adds the downloads found in journals; returns those that weren't in the list yet.
    func restore(_ found: [RestoredDownload], _ supplements: [UUID: Restoring]) -> [DownloadTask] {
        let found = found.sorted {
            ($0.identity.order, $0.identity.createdAt) < ($1.identity.order, $1.identity.createdAt)
        }
        let network = state.withLock { $0.status }
        return change { state, effects in
            if state.observers.hasEnded { return [] }
            // All are added before the first starts, so the queue can order them.
            var actions: [[Queue.Action]] = []
            var added: [UUID] = []
            for each in found where state.records[each.identity.id] == nil {
                let identity = each.identity
                let supplement = supplements[identity.id] ?? Restoring()
                var request = DownloadRequest(identity)
                request.headers = supplement.headers ?? [:]
                let place: DownloadPlace
                do throws(DownloadError) {
                    place = try DownloadPlace(identity)
                } catch {
                    log.couldNotRestore(identity.id, error)
                    continue
                }
                let upload = identity.upload
                var task = each.task(request)
                added.append(task.id)
                let verdict = request.network.verdict(on: network)
                if let path = each.finished {
                    complete(task, request, place, identity.order, path, &state, &effects)
                    continue
                }
                let login = supplement.login
                let waits = identity.owner?.contains(exactly: login?.names ?? []) == false
                if waits { task.error = Self.waitsForOwner(request.url) }
                if identity.network == DownloadNetwork.unstored || network == nil && request.network.isRestricted {
                    task.error = .networkUnknown(request.network, url: request.url)
                }
                if let failure = supplement.failure { task.error = failure }
                insert(task, request, upload, place, identity.order, &state, &effects) { record in
                    (record.login, record.owner, record.waitsForOwner) = (waits ? nil : login, identity.owner, waits)
                    record.restore(identity, hasHeaders: supplement.headers != nil, supplement.failure)
                }
                if supplement.failure != nil {
                    actions.append(
                        state.queue.restoreEnded(
                            task.id, url: place.url, host: place.host, priority: task.priority, order: identity.order,
                            isComplete: false))
                    continue
                }
                actions.append(
                    state.queue.restore(
                        task.id, url: place.url, host: place.host, priority: task.priority, order: identity.order,
                        isPaused: identity.isPaused, isAllowed: verdict == .isAllowed && !waits))
            }
            for each in actions { perform(each, &state, &effects) }
            perform(state.queue.start(), &state, &effects)
            return added.compactMap { state.records[$0]?.task }
        }
    }

    /// Adds a download that was complete when the program ended, before its completion was recorded.
    private func complete(
        _ task: DownloadTask, _ request: DownloadRequest, _ place: DownloadPlace, _ order: Int64, _ path: String,
        _ state: inout State, _ effects: inout DownloadEffects
    ) {
        insert(task, request, nil, place, order, &state, &effects)
        state.records[task.id]?.complete(DownloadedFile(path: path, bytes: task.total ?? task.bytes))
        perform(
            state.queue.restoreEnded(task.id, url: place.url, host: place.host, order: order, isComplete: true), &state,
            &effects)
    }

    func pause(_ id: UUID) throws(DownloadError) -> DownloadChange {
        try change(id) { (queue) throws(Queue.Refusal) in queue.pause(id) }
    }

    func resume(_ id: UUID) throws(DownloadError) -> DownloadChange {
        try change(id) { (queue) throws(Queue.Refusal) in try queue.resume(id) }
    }

    func cancel(_ id: UUID) throws(DownloadError) -> DownloadChange {
        try change(id) { (queue) throws(Queue.Refusal) in queue.cancel(id) }
    }

    func retry(_ id: UUID) throws(DownloadError) -> DownloadChange {
        try change(id) { (queue) throws(Queue.Refusal) in try queue.retry(id) }
    }

    func setPriority(_ priority: RequestPriority, of id: UUID) throws(DownloadError) -> DownloadChange {
        var change = try change(id) { (queue) throws(Queue.Refusal) in
            queue.setPriority(priority, of: id)
            return []
        }
        change.runs = []
        self.change { state, _ in state.records[id]?.task.priority = priority }
        return change
    }

    func forget(_ id: UUID) throws(DownloadError) -> DownloadChange {
        if task(id)?.state != .completed { return try cancel(id) }
        self.change { state, effects in forgetCompleted(id, &state, &effects) }
        return DownloadChange()
    }

    /// A run has received a new link to its file.
    func renewed(_ id: UUID, _ request: DownloadRequest) {
        change { state, _ in state.records[id]?.renew(request) }
    }

    /// A run has made progress with an upload, or has restarted it.
    func keep(_ id: UUID, _ upload: UploadIdentity) {
        change { state, _ in state.records[id]?.upload = upload }
    }

    /// Returns the cancelled uploads that servers may have a part of, and clears them.
    func takeOrphans() -> [DownloadJob] {
        state.withLock { state in
            defer { state.orphans = [] }
            return state.orphans
        }
    }

    func removeCompleted() {
        change { state, effects in
            for (id, record) in state.records where record.task.state == .completed {
                forgetCompleted(id, &state, &effects)
            }
        }
    }

    private func forgetCompleted(_ id: UUID, _ state: inout State, _ effects: inout DownloadEffects) {
        guard state.queue.phase(of: id) == .completed else { return }
        state.queue.forget(id)
        remove(id, &state, &effects)
    }

    func pauseAll() -> DownloadChange { changeAll { $0.pause($1) } }
    func resumeAll() -> DownloadChange { changeAll { (try? $0.resume($1)) ?? [] } }
    func cancelAll() -> DownloadChange { changeAll { $0.cancel($1) } }

    private func changeAll(_ body: (inout Queue, UUID) -> [Queue.Action]) -> DownloadChange {
        change { state, effects in
            var change = DownloadChange()
            state.queue.holds = true
            let records = state.records.values.sorted { $0.order < $1.order }
            for record in records where !(record.task.state == .completed) {
                let id = record.task.id
                let actions = body(&state.queue, id)
                change.ids.append(id)
                change.runs += actions.contains(.stop(id)) ? [record.run].compactMap { $0 } : []
                perform(actions, &state, &effects)
            }
            state.queue.holds = false
            perform(state.queue.start(), &state, &effects)
            return change
        }
    }

    private func change(
        _ id: UUID, _ body: (inout Queue) throws(Queue.Refusal) -> [Queue.Action]
    ) throws(DownloadError) -> DownloadChange {
        try change { (state, effects) throws(DownloadError) in
            guard let record = state.records[id] else { throw .notFound(id) }
            let actions: [Queue.Action]
            do throws(Queue.Refusal) {
                actions = try body(&state.queue)
            } catch {
                throw Self.error(error, url: record.request.url, limit: state.queue.limit)
            }
            perform(actions, &state, &effects)
            // Also if the run is already stopping for another reason: the caller of `pause` waits for its end as
            // well.
            var isStopping = false
            if case .stopping = state.queue.phase(of: id) { isStopping = true }
            return DownloadChange(runs: isStopping ? [record.run].compactMap { $0 } : [], ids: [id])
        }
    }

    static func error(_ refusal: Queue.Refusal, url: String, limit: Int) -> DownloadError {
        switch refusal {
        case .isQueued(let other):
            DownloadError(
                .alreadyQueued,
                message: "\(CallID(other)) is already transferring the same file; wait for it, or cancel it",
                url: url, taskID: other)
        case .isFull:
            DownloadError(
                .queueFull,
                message:
                    "\(limit) transfers are unfinished, which is the limit; wait until some are complete, or raise "
                    + "queueLimit", url: url)
        }
    }

    // MARK: - Journals

    /// The content that a journal should have.
    enum Kept {
        case identity(DownloadIdentity)
        /// The download was cancelled.
        case nothing
        /// The download is complete; its run has removed the journal.
        case complete
    }

    func kept(_ id: UUID) -> Kept {
        state.withLock { state in
            guard let record = state.records[id] else { return .nothing }
            if record.task.state == .completed { return .complete }
            return .identity(record.identity(isPaused: state.queue.isPaused(id)))
        }
    }

    // MARK: - The network

    /// Changes the status, and starts, holds or stops the downloads accordingly.
    func networkChanged(_ status: NetworkStatus) {
        state.withLock { $0.status = status }
        var verdicts: [UUID: NetworkVerdict] = [:]
        var isDone = false
        // The requests' closures are called without the lock, so downloads may be added meanwhile.
        while !isDone {
            let rules = state.withLock { $0.records.filter { verdicts[$0.key] == nil }.mapValues(\.request.network) }
            for (id, rule) in rules { verdicts[id] = rule.verdict(on: status) }
            isDone = change { state, effects in
                guard state.records.keys.allSatisfy({ verdicts[$0] != nil }) else { return false }
                let waiting = state.records.filter(\.value.waitsForOwner)
                perform(
                    state.queue.networkChanged { waiting[$0] == nil ? verdicts[$0] ?? .isAllowed : .isHeld }, &state,
                    &effects)
                return true
            }
        }
    }

    // MARK: - The end

    /// Stops all runs and returns them. Nothing starts any more.
    func drain() -> [Task<Void, Never>] {
        change { state, effects in
            perform(state.queue.drain(), &state, &effects)
            return state.records.values.compactMap(\.run)
        }
    }

    /// Ends all streams of observers.
    func end() {
        change { state, effects in
            state.pulse?.cancel()
            state.pulse = nil
            state.observers.end(.shutDown, &effects)
        }
    }

    /// Stops everything without waiting for it, because the manager was released.
    func abandon() {
        _ = drain()
        end()
    }
}
