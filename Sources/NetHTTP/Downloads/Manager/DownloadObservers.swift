internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// All observers of a manager's downloads. Each has a separate buffer, so a slow one doesn't hold up the others.
struct DownloadObservers: Sendable {
    typealias Progress = AsyncStream<Result<DownloadProgress, DownloadError>>.Continuation

    private var last = 0
    private var events: [Int: AsyncStream<DownloadEvent>.Continuation] = [:]
    private var lists: [Int: AsyncStream<Void>.Continuation] = [:]
    private var progress: [UUID: [Int: Progress]] = [:]
    private var states: [UUID: [Int: AsyncStream<DownloadState>.Continuation]] = [:]
    /// True after the shutdown.
    private(set) var hasEnded = false

    private mutating func number() -> Int {
        last += 1
        return last
    }

    mutating func add(events: AsyncStream<DownloadEvent>.Continuation) -> Int {
        let number = number()
        self.events[number] = events
        return number
    }

    mutating func add(list: AsyncStream<Void>.Continuation) -> Int {
        let number = number()
        lists[number] = list
        return number
    }

    mutating func add(progress: Progress, of id: UUID) -> Int {
        let number = number()
        self.progress[id, default: [:]][number] = progress
        return number
    }

    mutating func add(states: AsyncStream<DownloadState>.Continuation, of id: UUID) -> Int {
        let number = number()
        self.states[id, default: [:]][number] = states
        return number
    }

    mutating func remove(_ number: Int, of id: UUID? = nil) {
        guard let id else {
            events[number] = nil
            lists[number] = nil
            return
        }
        progress[id]?[number] = nil
        if progress[id]?.isEmpty == true { progress[id] = nil }
        states[id]?[number] = nil
        if states[id]?.isEmpty == true { states[id] = nil }
    }

    /// Notifies all observers of an event that concerns them. `progress` is passed with the events that progress
    /// streams report.
    mutating func tell(
        _ record: DownloadRecord, _ kind: DownloadEvent.Kind, _ progress: DownloadProgress?,
        _ effects: inout DownloadEffects
    ) {
        let event = DownloadEvent(task: record.task, kind: kind)
        for each in events.values { each.yield(event) }
        for each in lists.values { each.yield() }
        let id = record.task.id
        if let progress, let watchers = self.progress[id] {
            for each in watchers.values { each.yield(.success(progress)) }
        }
        guard case .state(let state) = kind else {
            if case .removed = kind {
                end(
                    id,
                    .failure(
                        DownloadError(.cancelled, message: "the \(record.task.kind) was removed", url: record.task.url)),
                    &effects)
            }
            return
        }
        if let watchers = states[id] { for each in watchers.values { each.yield(state) } }
        switch state {
        case .completed: end(id, nil, &effects)
        case .failed:
            let error = record.task.error ?? DownloadError(.cancelled, message: "the \(record.task.kind) has ended")
            end(id, .failure(error), &effects)
        case .cancelled:
            end(
                id,
                .failure(
                    DownloadError(.cancelled, message: "the \(record.task.kind) was cancelled", url: record.task.url)),
                &effects)
        default: break
        }
    }

    /// Ends the streams of one download.
    private mutating func end(
        _ id: UUID, _ last: Result<DownloadProgress, DownloadError>?, _ effects: inout DownloadEffects
    ) {
        for each in (progress.removeValue(forKey: id) ?? [:]).values {
            if let last { each.yield(last) }
            effects.add { each.finish() }
        }
        for each in (states.removeValue(forKey: id) ?? [:]).values { effects.add { each.finish() } }
    }

    /// Ends all streams, because the manager is shut down.
    mutating func end(_ error: DownloadError, _ effects: inout DownloadEffects) {
        hasEnded = true
        for id in Set(progress.keys).union(states.keys) { end(id, .failure(error), &effects) }
        for each in events.values { effects.add { each.finish() } }
        for each in lists.values { effects.add { each.finish() } }
        events = [:]
        lists = [:]
    }
}
