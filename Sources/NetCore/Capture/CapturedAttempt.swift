internal import HTTPTypes

/// What one attempt of a call has sent and received, for listeners that want it (``ActivityInterest/fields``,
/// ``ActivityInterest/bodies``).
///
/// It's handed over once, when the body of the response has ended, failed or was left by its reader, or when no response
/// came; just before the attempt's ``ActivityEvent/Kind/attemptEnded(_:)``. A response that a cache has served is handed
/// over likewise.
///
/// It holds secrets as they were sent. Only ``redacted()`` reads it, and nothing of it is printed. Call that on a thread of
/// your own: `record` must return immediately.
///
///     struct Printer: ActivityListener {
///         let queue: AsyncStream<CapturedAttempt>.Continuation
///         var interest: ActivityInterest { [.calls, .bodies] }
///         func record(_ event: ActivityEvent) {}
///         func record(_ attempt: CapturedAttempt) { queue.yield(attempt) }
///     }
public struct CapturedAttempt: Sendable {
    /// The ID of the call.
    public let call: CallID
    /// The number of the attempt, as the call counts them; nil for a response that a cache has served.
    public let attempt: Int?
    /// The decision of the cache that has served the response; nil for an attempt.
    public let cacheDecision: ActivityEvent.CacheDecision?
    private let recording: AttemptRecording
    private let hasBodies: Bool

    init(
        _ recording: AttemptRecording, call: CallID, attempt: Int?, cacheDecision: ActivityEvent.CacheDecision?,
        hasBodies: Bool
    ) {
        self.recording = recording
        self.call = call
        self.attempt = attempt
        self.cacheDecision = cacheDecision
        self.hasBodies = hasBodies
    }

    /// About the number of bytes that it holds.
    package var size: Int { recording.tape.size + recording.responseSize }

    /// Returns the content without the secrets that the call's ``RedactionPolicy`` names. All the work that finding them takes
    /// is done here.
    ///
    /// A body in a content coding that the transport hasn't decoded has no bytes, unless the policy hides nothing, because
    /// secrets in it can't be found. The bytes of a body come only to listeners that want ``ActivityInterest/bodies``.
    public func redacted() -> CapturedExchange {
        let policy = recording.tape.redaction
        return recording.redacted(by: policy) { body, headers in
            guard hasBodies else { return body.withoutBytes }
            return policy == .disabled ? body : body.readable(headers)
        }
    }
}

extension CapturedAttempt: CustomStringConvertible, CustomReflectable {
    /// The call and the number of the attempt, without any content.
    public var description: String {
        "call \(call), " + (attempt.map { "attempt \($0)" } ?? "cache \(cacheDecision.map(\.description) ?? "")")
    }

    public var customMirror: Mirror { Mirror(self, children: ["attempt": description]) }
}
