internal import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Reports downloads to activity listeners.
struct DownloadJobs: Sendable {
    private let listeners: [any ActivityListener]
    private let clock: NetClock
    private let redaction: RedactionPolicy

    init(listeners: [any ActivityListener], clock: NetClock, redaction: RedactionPolicy) {
        self.listeners = listeners.filter { $0.interest.contains(.jobs) }
        self.clock = clock
        self.redaction = redaction
    }

    /// Reports the current state of a download.
    func record(_ record: inout DownloadRecord) { tell(&record, call: nil) }

    /// Reports that a download has begun a call, once per call.
    func begin(_ call: CallID, _ record: inout DownloadRecord) {
        guard record.lastCall != call else { return }
        record.lastCall = call
        record.calls += 1
        tell(&record, call: call)
    }

    private func tell(_ record: inout DownloadRecord, call: CallID?) {
        guard !listeners.isEmpty else { return }
        record.activities += 1
        let task = record.task
        var activity = JobActivity(
            job: CallID(task.id), sequence: record.activities, date: clock.date(), kind: JobActivity.Kind(task.kind),
            title: task.fileName,
            url: redaction.redact(url: task.url), state: JobActivity.State(task.state))
        (activity.bytes, activity.totalBytes) = (task.bytes, task.total)
        (activity.attempts, activity.call) = (record.calls, call)
        activity.failure = task.error.map { error in
            let phase: NetError.Phase = task.kind == .upload ? .sending : .receiving
            return NetError(
                error.underlying?.code ?? .unknown, phase: error.underlying?.phase ?? phase, message: error.message,
                underlying: error.underlying, response: error.underlying?.response)
        }
        activity.failureCode = task.error?.code.rawValue
        for listener in listeners { listener.record(activity) }
    }
}

extension JobActivity.Kind {
    fileprivate init(_ kind: DownloadTask.Kind) {
        switch kind {
        case .download: self = .download
        case .upload: self = .upload
        }
    }
}

extension JobActivity.State {
    fileprivate init(_ state: DownloadState) {
        switch state {
        case .queued: self = .queued
        case .downloading, .uploading: self = .running
        case .waiting: self = .waiting
        case .paused: self = .paused
        case .completed: self = .completed
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}

extension CallID {
    /// The ID of a download's job.
    package init(_ id: UUID) {
        let bytes = id.uuid
        let all = [
            bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7, bytes.8, bytes.9, bytes.10,
            bytes.11,
            bytes.12, bytes.13, bytes.14, bytes.15,
        ]
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(all[..<8]), low: word(all[8...]))
    }

    package var uuid: UUID {
        func byte(_ index: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> (56 - 8 * (index % 8)))
        }
        return UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10),
                byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }
}
