internal import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The downloads and uploads of a manager: their records, their order, and their observers.
///
/// Reports of runs, requests of callers and changes of the network are all processed under one lock. Therefore, all
/// observers see the same events in the same order.
final class DownloadBoard: Sendable {
    struct State: Sendable {
        var queue: DownloadQueue<UUID>
        var records: [UUID: DownloadRecord] = [:]
        var observers = DownloadObservers()
        var status: NetworkStatus?
        /// The downloads that have ended, oldest first.
        var ended: [UUID] = []
        /// Those of them that have failed: few, and looked through for each new download.
        var failed: Set<UUID> = []
        var pulse: Task<Void, Never>?
        /// The cancelled uploads that servers may have a part of.
        var orphans: [DownloadJob] = []
    }

    /// The minimum time between two progress reports of one download.
    static let progressInterval = Duration.milliseconds(100)
    /// The interval at which the falling speed of a download is reported if it receives no bytes.
    static let pulseInterval = Duration.seconds(1)

    let clock: NetClock
    let random: NetRandom
    let log: DownloadLog
    let jobs: DownloadJobs
    let endedLimit: Int
    /// Set before the first download is added.
    let engine = Mutex<DownloadEngine?>(nil)
    /// Writes journals, and returns once they're written. Set before the first download is added.
    let save = Mutex<(@Sendable ([UUID]) async -> Void)?>(nil)
    let state: Mutex<State>

    init(
        _ configuration: DownloadManager.Configuration, clock: NetClock, random: NetRandom, log: DownloadLog,
        jobs: DownloadJobs
    ) {
        self.clock = clock
        self.random = random
        self.log = log
        self.jobs = jobs
        endedLimit = max(0, configuration.endedLimit)
        state = Mutex(
            State(
                queue: DownloadQueue(
                    maximumConcurrent: configuration.maximumConcurrent, maximumPerHost: configuration.maximumPerHost,
                    limit: configuration.queueLimit)))
    }

    /// Changes the state under the lock, and then runs the effects outside of it.
    func change<Value: Sendable, Failure: Error>(
        _ body: (inout State, inout DownloadEffects) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var effects = DownloadEffects()
        defer { effects.run() }
        return try state.withLock { (state) throws(Failure) in try body(&state, &effects) }
    }

    // MARK: - What the queue asks for

    func perform(_ actions: [DownloadQueue<UUID>.Action], _ state: inout State, _ effects: inout DownloadEffects) {
        for action in actions {
            switch action {
            case .changed(let id, let new): moved(id, to: new, &state, &effects)
            case .start(let id): start(id, &state)
            case .stop(let id): state.records[id]?.run?.cancel()
            case .remove(let id):
                if let record = state.records[id], record.upload?.resource != nil {
                    state.orphans.append(record.job)
                }
                remove(id, &state, &effects)
            }
        }
    }

    private func start(_ id: UUID, _ state: inout State) {
        guard var record = state.records[id], let engine = engine.withLock({ $0 }) else { return }
        record.meter.reset()
        record.meter.note(record.task.bytes, at: clock.now())
        let job = record.job
        record.run = Task { [self] in
            let result: Result<TransferredFile, DownloadError>
            do throws(DownloadError) {
                result = .success(try await engine.run(job) { [weak self] in self?.take($0, of: id) })
            } catch {
                result = .failure(error)
                if error.code.isLasting { await keepFailure(error, of: id) }
            }
            ended(id, result)
        }
        state.records[id] = record
        beginPulse(&state)
    }

    /// Reports a download's new state to observers, the log and listeners.
    func moved(_ id: UUID, to new: DownloadState, _ state: inout State, _ effects: inout DownloadEffects) {
        guard var record = state.records[id] else { return }
        let new = new == .downloading && record.upload != nil ? .uploading : new
        let old = record.task.state
        guard new != old else { return }
        record.task.state = new
        if new.isRunning, record.task.startedAt == nil { record.task.startedAt = clock.date() }
        record.task.endedAt = new.isFinal ? clock.date() : nil
        if old == .failed { (record.task.error, record.failure) = (nil, nil) }
        log.moved(record, from: old)
        jobs.record(&record)
        state.records[id] = record
        if new == .failed { state.failed.insert(id) } else { state.failed.remove(id) }
        state.observers.tell(record, .state(new), record.progress(at: clock.now()), &effects)
        guard new == .completed || new == .failed else { return state.ended.removeAll { $0 == id } }
        state.ended.append(id)
        // Ended downloads are kept up to a limit. The journal of a failed one stays for the next start of the
        // program.
        while state.ended.count > endedLimit, let oldest = state.ended.first {
            state.queue.forget(oldest)
            remove(oldest, &state, &effects)
        }
    }

    func remove(_ id: UUID, _ state: inout State, _ effects: inout DownloadEffects) {
        guard let record = state.records.removeValue(forKey: id) else { return }
        state.ended.removeAll { $0 == id }
        state.failed.remove(id)
        state.observers.tell(record, .removed, nil, &effects)
    }

    // MARK: - Runs

    private func ended(_ id: UUID, _ result: Result<TransferredFile, DownloadError>) {
        change { state, effects in
            guard var record = state.records[id] else { return }
            record.run = nil
            var ending = DownloadQueue<UUID>.Ending.completed
            switch result {
            case .success(.downloaded(let file)): record.complete(file)
            case .success(.uploaded(let file)): record.complete(file)
            case .failure(let error) where error.isCancellation:
                ending = .stopped
                // The call was cancelled from outside, such as by `cancelAll()` of the client.
                if state.queue.phase(of: id) == .running { record.task.error = error }
            case .failure(let error):
                let isOffline = error.isConnectivity && state.status?.reachability == .unreachable
                ending = isOffline ? .noNetwork : .failed
                record.task.error = error
            }
            state.records[id] = record
            perform(state.queue.hasEnded(id, ending), &state, &effects)
            guard let record = state.records[id], let error = record.task.error else { return }
            if ending == .failed || ending == .noNetwork { state.observers.tell(record, .error(error), nil, &effects) }
        }
    }

    /// Writes an error to the journal, so that a restored task doesn't repeat it.
    private func keepFailure(_ error: DownloadError, of id: UUID) async {
        state.withLock { $0.records[id]?.failure = DownloadIdentity.Failure(error) }
        await save.withLock { $0 }?([id])
    }

    private func take(_ report: DownloadReport, of id: UUID) {
        change { state, effects in
            guard var record = state.records[id], record.run != nil else { return }
            // The room is checked every few seconds, but reported once.
            if case .noRoom = report, record.waitsForRoom { return }
            if case .call(let call) = report {
                jobs.begin(call, &record)
                state.records[id] = record
                return
            }
            // A report of bytes that are known already doesn't end a wait.
            var isNews = true
            if case .bytes(let bytes) = report { isNews = bytes != record.task.bytes }
            let event = record.take(report, at: clock.now(), progressEvery: Self.progressInterval)
            state.records[id] = record
            log.reported(record, report)
            // A run that was asked to stop no longer changes its state.
            let isWaiting = record.task.state == .waiting
            if state.queue.phase(of: id) == .running, record.task.state.isRunning || isWaiting && isNews {
                moved(id, to: report.isWaiting ? .waiting : .downloading, &state, &effects)
            }
            if let event, let record = state.records[id] { tell(event, record, &state, &effects) }
        }
    }

    private func tell(
        _ event: DownloadEvent.Kind, _ record: DownloadRecord, _ state: inout State, _ effects: inout DownloadEffects
    ) {
        var progress: DownloadProgress?
        if case .progress(let value) = event {
            progress = value
            log.progressed(record, value)
        }
        state.observers.tell(record, event, progress, &effects)
    }

    /// Reports progress periodically while downloads run, so that observers notice when no bytes arrive.
    private func beginPulse(_ state: inout State) {
        guard state.pulse == nil else { return }
        state.pulse = Task { [weak self, clock] in
            while (try? await clock.sleep(for: Self.pulseInterval)) != nil, self?.beat() == true {}
        }
    }

    /// Returns false if nothing is running.
    private func beat() -> Bool {
        change { state, effects in
            guard state.queue.running > 0 else {
                state.pulse = nil
                return false
            }
            let now = clock.now()
            for (id, var record) in state.records where record.task.state.isRunning {
                guard let toldAt = record.toldAt, now - toldAt >= Self.pulseInterval else { continue }
                record.toldAt = now
                let progress = record.progress(at: now)
                state.records[id] = record
                tell(.progress(progress), record, &state, &effects)
            }
            return true
        }
    }
}

extension DownloadBoard: CustomReflectable {
    /// Empty, since the logger's metadata and headers may contain secrets.
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
