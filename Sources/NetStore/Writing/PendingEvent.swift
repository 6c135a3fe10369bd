internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An event as it waits in the queue: what a row needs of it and no more, so that a failed response's body is not kept.
///
/// A class, so that the queue grows by a pointer an event.
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
    }

    /// An attempt without its error's response.
    struct Attempt: Sendable {
        let number: Int
        let status: Int?
        let failure: Failure?
        let metrics: TransferMetrics?
    }

    /// How the call ended, as the columns say it.
    struct Outcome: Sendable {
        var name: String
        var status: Int?
        var responseBytes: Int64?
        var failure: Failure?
    }

    enum Kind: Sendable {
        case started(requestBytes: Int64?)
        case attemptEnded(Attempt)
        case retrying(attempt: Int, after: Duration, reason: String)
        case cache(ActivityEvent.CacheDecision)
        case responded(status: Int)
        case ended(Outcome)
    }

    let call: CallID
    let sequence: Int
    let occurredAt: Int64
    let elapsed: Int64
    let method, url: String
    let metadata: RequestMetadata
    let kind: Kind

    init(_ event: ActivityEvent) {
        call = event.call
        sequence = event.sequence
        occurredAt = StoredTime.microseconds(of: event.date)
        elapsed = StoredTime.microseconds(of: event.elapsed)
        method = event.method.rawValue
        url = event.url
        metadata = event.metadata
        kind =
            switch event.kind {
            case .started(let requestBytes): .started(requestBytes: requestBytes)
            case .attemptEnded(let attempt):
                .attemptEnded(
                    Attempt(
                        number: attempt.number, status: attempt.status, failure: attempt.error.map(Failure.init),
                        metrics: attempt.metrics))
            case .retrying(let attempt, let delay, let reason):
                .retrying(attempt: attempt, after: delay, reason: reason)
            case .cache(let decision): .cache(decision)
            case .responded(let status): .responded(status: status)
            case .ended(let outcome): .ended(Outcome(outcome))
            }
    }
}

extension PendingEvent.Outcome {
    init(_ outcome: ActivityEvent.Outcome) {
        switch outcome {
        case .completed(let status, let responseBytes):
            self.init(name: CallOutcome.completed.rawValue, status: status, responseBytes: responseBytes)
        case .rejected(let status, let responseBytes):
            self.init(name: CallOutcome.rejected.rawValue, status: status, responseBytes: responseBytes)
        case .failed(let error):
            self.init(name: CallOutcome.failed.rawValue, status: error.status, failure: PendingEvent.Failure(error))
        case .cancelled:
            self.init(name: CallOutcome.cancelled.rawValue)
        }
    }
}
