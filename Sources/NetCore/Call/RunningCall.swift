internal import HTTPTypes
internal import Synchronization

/// One call, from its start to the end of its body: the state shared by all its parts.
///
/// Middleware and transports see it through a ``CallContext``. This file contains its identity; `RunningCall+Events`
/// contains its events, `RunningCall+Attempts` its attempts, and `RunningCall+Ending` its end.
package final class RunningCall: Sendable {
    /// The request that started a call.
    enum Target: Sendable {
        case prepared(PreparedRequest)
        /// A request that couldn't be prepared: its redacted path or URL, as written.
        case unprepared(HTTPRequest.Method, String, RequestMetadata)
    }

    let id: CallID
    let delivery: BodyDelivery
    let timeouts: Timeouts
    let deadline: Duration?
    let start: Duration
    let environment: CallContext.Environment
    let method: HTTPRequest.Method
    let metadata: RequestMetadata
    private let target: Target
    let events = Mutex(CallEvents())
    let isObserved = Atomic<Bool>(false)
    let isWatchedForTrouble = Atomic<Bool>(false)
    /// The number of the last attempt that has begun on the transport.
    let begun = Atomic<Int>(0)
    /// The number of the last attempt, including one that never reached the transport.
    let reached = Atomic<Int>(0)
    /// The number of attempts that retry policies have requested.
    let retried = Atomic<Int>(0)
    let progress = Mutex(CallProgress())
    let state = Mutex(CallStateMachine())
    /// The secrets that every output of the call hides by value; nil until one is added or an output is made.
    private let secrets = AtomicLazyReference<CallSecrets>()

    init(
        _ target: Target, id: CallID, delivery: BodyDelivery, timeouts: Timeouts, start: Duration,
        environment: CallContext.Environment
    ) {
        self.target = target
        self.id = id
        self.delivery = delivery
        self.timeouts = timeouts
        self.start = start
        self.environment = environment
        deadline = timeouts.total.map { start + $0 }
        switch target {
        case .prepared(let request): (method, metadata) = (request.head.method, request.options.metadata)
        case .unprepared(let method, _, let metadata): (self.method, self.metadata) = (method, metadata)
        }
    }

    /// The time since the call started.
    var elapsed: Duration { environment.clock.now() - start }

    /// The redacted URL. Computed on demand, so that a successful call without listeners doesn't pay for it.
    var url: String {
        switch target {
        case .prepared(let request): redaction.redact(url: request.url)
        case .unprepared(_, let written, _): written
        }
    }

    /// Returns a summary of the request, or of the redirect that was followed last.
    func summary(attempt: Int, trail: RedirectTrail?) -> CallSummary {
        var summary = CallSummary(
            id: id, method: method, url: url, operation: metadata.operationName, attempt: attempt)
        if let head = trail?.head {
            summary.method = head.method
            summary.url = redaction.redact(url: PreparedRequest(head: head).url)
        }
        return summary.hiding(secrets.load())
    }

    var redaction: RedactionPolicy {
        guard case .prepared(let request) = target else { return environment.redaction }
        return (request.options.redaction ?? environment.redaction).hiding(secrets.load())
    }

    /// The secrets that the parts of the call have added; nil if there can be none.
    package var knownSecrets: CallSecrets? { secrets.load() }

    func makeSecrets() -> CallSecrets { secrets.load() ?? secrets.storeIfNil(CallSecrets()) }
}
