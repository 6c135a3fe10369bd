internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An event of a call waiting in the queue. It holds only the values a row needs, so that a failed response's body
/// isn't retained.
final class PendingEvent: Sendable {
    /// A failure without its response and underlying error, which may hold secrets.
    struct Failure: Sendable {
        let code, phase, message: String
        let status: Int?

        init(_ error: NetError) {
            code = error.code.rawValue
            phase = error.phase.rawValue
            message = error.message
            status = error.status
        }

        /// The failure of a job; nil if it has none. The job's own code takes precedence; the message then names the
        /// code of the last call, so that a search finds both.
        init?(_ job: JobActivity) {
            guard let error = job.failure else {
                guard let code = job.failureCode else { return nil }
                (self.code, phase, message, status) = (code, "", "", nil)
                return
            }
            let cause = error.code.rawValue
            code = job.failureCode ?? cause
            phase = error.phase.rawValue
            let isNamed = code == cause || error.code == .unknown || error.message.contains(cause)
            message = isNamed ? error.message : error.reason
            status = error.status
        }

        init(_ failure: StoredFailure) {
            (code, phase, message, status) = (failure.code, failure.phase, failure.message, nil)
        }
    }

    /// The outcome of a call, in the form of its columns.
    struct Outcome: Sendable {
        var outcome: StoredItem.Outcome
        var status: Int?
        var responseBytes: Int64?
        var failure: Failure?
    }

    enum Kind: Sendable {
        case started(requestBytes: Int64?)
        case attemptEnded(AttemptDraft)
        case retrying(after: Int64, reason: String)
        case cache(ActivityEvent.CacheDecision)
        case responded(status: Int)
        case ended(Outcome)

        var isEnd: Bool { if case .ended = self { true } else { false } }
    }

    let call: CallID
    let occurredAt: Int64
    let elapsed: Int64
    let method, url: String
    let metadata: RequestMetadata
    let kind: Kind

    init(_ event: ActivityEvent) {
        call = event.call
        occurredAt = StoredTime.microseconds(of: event.date)
        elapsed = StoredTime.microseconds(of: event.elapsed)
        method = event.method.rawValue
        url = event.url
        metadata = event.metadata
        kind =
            switch event.kind {
            case .started(let requestBytes): .started(requestBytes: requestBytes)
            case .attemptEnded(let attempt): .attemptEnded(AttemptDraft(attempt, of: event))
            case .retrying(_, let delay, let reason):
                .retrying(after: StoredTime.microseconds(of: delay), reason: reason)
            case .cache(let decision): .cache(decision)
            case .responded(let status): .responded(status: status)
            case .ended(let outcome): .ended(Outcome(outcome))
            }
    }

    /// The time when the call began.
    var startedAt: Int64 { occurredAt.subtractingReportingOverflow(elapsed).partialValue }

    var bytes: Int { 320 + url.utf8.count }
}

extension PendingEvent.Outcome {
    fileprivate init(_ outcome: ActivityEvent.Outcome) {
        switch outcome {
        case .completed(let status, let responseBytes):
            self.init(outcome: .completed, status: status, responseBytes: responseBytes)
        case .rejected(let status, let responseBytes):
            self.init(outcome: .rejected, status: status, responseBytes: responseBytes)
        case .failed(let error):
            self.init(outcome: .failed, status: error.status, failure: PendingEvent.Failure(error))
        case .cancelled:
            self.init(outcome: .cancelled)
        }
    }
}
