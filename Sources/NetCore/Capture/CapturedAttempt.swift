internal import HTTPTypes

/// The captured request and response of one attempt of a call, for listeners with the interest
/// ``ActivityInterest/fields`` or ``ActivityInterest/bodies``.
///
/// It is reported once, when the body of the response has ended, failed or was abandoned by its reader, or when no
/// response arrived; just before the attempt's ``ActivityEvent/Kind/attemptEnded(_:)``. A response that a cache served
/// is reported in the same way.
///
/// It holds secrets as they were sent. Only ``redacted()`` gives access to the content, and descriptions omit it. Call
/// ``redacted()`` on a separate thread, because `record` must return immediately.
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
    /// The number of the attempt within its call; nil for a response that a cache served.
    public let attempt: Int?
    /// The decision of the cache that served the response; nil for an attempt.
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

    /// The approximate size in bytes.
    package var size: Int { recording.tape.size + recording.responseSize }

    /// Returns the content without the secrets that the call's ``RedactionPolicy`` hides. The work of finding them is
    /// done here.
    ///
    /// If a body has a content coding that the transport hasn't decoded, its bytes are omitted, because secrets in them
    /// can't be found, unless the policy hides nothing. Bytes of bodies are included only for listeners with the
    /// interest ``ActivityInterest/bodies``.
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
