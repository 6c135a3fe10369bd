internal import HTTPTypes
internal import Synchronization

/// An observer of the events of one call.
package protocol CallObserver: AnyObject, Sendable {
    /// Receives an event of the current attempt. Like a listener, it must return immediately.
    func hear(_ event: ActivityEvent, attempt: Int, in environment: CallContext.Environment)
}

/// Shared state of one call: its identity and its observers. Numbers the events of the call and reports them to the
/// listeners in order, the last one once.
package final class ActivityRecorder: Sendable {
    /// The events of a call that an observer receives.
    package enum Interest: Sendable {
        case everything
        /// Retries, rejections and failures.
        case trouble
    }

    private struct Observer: Sendable {
        let interest: Interest
        let observer: any CallObserver

        func hears(_ isTrouble: Bool) -> Bool { isTrouble || interest == .everything }
    }

    private struct State {
        var sequence = 0
        var hasEnded = false
        /// The redacted URL; nil until it is needed.
        var url: String?
        /// The number of the current attempt.
        var attempt = 1
        var trail: RedirectTrail?
        /// The first observer, stored without an array.
        var observer: Observer?
        var furtherObservers: [Observer] = []

        func isObserved(by other: any CallObserver) -> Bool {
            observer?.observer === other || furtherObservers.contains { $0.observer === other }
        }

        func tellObservers(of event: ActivityEvent, isTrouble: Bool, in environment: CallContext.Environment) {
            if let observer, observer.hears(isTrouble) {
                observer.observer.hear(event, attempt: attempt, in: environment)
            }
            for each in furtherObservers where each.hears(isTrouble) {
                each.observer.hear(event, attempt: attempt, in: environment)
            }
        }
    }

    let id: CallID
    let delivery: BodyDelivery
    let timeouts: Timeouts
    let deadline: Duration?
    let start: Duration
    let environment: CallContext.Environment
    private let method: HTTPRequest.Method
    private let target: PreparedRequest
    private let metadata: RequestMetadata
    private let state = Mutex(State())
    private let attempts = Atomic<Int>(1)
    private let isObserved = Atomic<Bool>(false)
    private let isWatchedForTrouble = Atomic<Bool>(false)
    let life = Mutex(CallLife())

    init(
        id: CallID, request: PreparedRequest, delivery: BodyDelivery, timeouts: Timeouts, start: Duration,
        environment: CallContext.Environment
    ) {
        self.id = id
        self.delivery = delivery
        self.timeouts = timeouts
        deadline = timeouts.total.map { start + $0 }
        method = request.head.method
        target = request
        metadata = request.options.metadata
        self.start = start
        self.environment = environment
    }

    /// The redacted URL. Computed on demand, so that a successful call without listeners doesn't pay for it.
    private var url: String { (target.options.redaction ?? environment.redaction).redact(url: target.url) }

    /// Returns a summary of the request, after the redirects that led to it.
    func summary(attempt: Int, trail: RedirectTrail?) -> CallSummary {
        var summary = CallSummary(
            id: id, method: method, url: url, operation: metadata.operationName, attempt: attempt)
        if let head = trail?.head {
            summary.method = head.method
            summary.url = (target.options.redaction ?? environment.redaction).redact(
                url: PreparedRequest(head: head).url)
        }
        return summary
    }

    /// The redirects that the call has followed; nil if there were none.
    var lastTrail: RedirectTrail? { state.withLock { $0.trail } }

    /// Records that a redirect is followed.
    func reached(_ trail: RedirectTrail?) { state.withLock { $0.trail = trail } }

    /// The highest number of an attempt so far.
    var lastAttempt: Int { attempts.load(ordering: .relaxed) }

    /// Records that an attempt starts.
    func reached(attempt: Int) { attempts.max(attempt, ordering: .relaxed) }

    /// True if any listener, subscriber or observer receives all events.
    package var isHeard: Bool {
        environment.hub?.hasSubscribers == true || !environment.listeners.isEmpty
            || isObserved.load(ordering: .relaxed)
    }

    /// Reports further events of this call to `observer`, as to a listener. An observer that is already registered
    /// isn't added again. An observer for `.trouble` costs a successful call nothing.
    package func observe(_ interest: Interest, _ observer: any CallObserver) {
        let observer = Observer(interest: interest, observer: observer)
        state.withLock { state in
            if state.isObserved(by: observer.observer) { return }
            if state.observer == nil { state.observer = observer } else { state.furtherObservers.append(observer) }
        }
        switch interest {
        case .everything: isObserved.store(true, ordering: .relaxed)
        case .trouble: isWatchedForTrouble.store(true, ordering: .relaxed)
        }
    }

    /// Reports an event to the listeners. They are called under the lock, so that they receive the events of a call in
    /// order, and must return immediately. Events after the end are dropped.
    func record(_ kind: ActivityEvent.Kind) {
        let hub = environment.hub.flatMap { $0.hasSubscribers ? $0 : nil }
        let isTrouble = kind.isTrouble
        guard
            hub != nil || !environment.listeners.isEmpty || isObserved.load(ordering: .relaxed)
                || isTrouble && isWatchedForTrouble.load(ordering: .relaxed)
        else { return }
        let date = environment.clock.date()
        let elapsed = environment.clock.now() - start
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.sequence += 1
            if case .ended = kind { state.hasEnded = true }
            let url = state.url ?? self.url
            state.url = url
            let event = ActivityEvent(
                call: id, sequence: state.sequence, date: date, elapsed: elapsed, method: method, url: url,
                metadata: metadata, kind: kind)
            state.tellObservers(of: event, isTrouble: isTrouble, in: environment)
            if case .retrying(let next, _, _) = kind { state.attempt = next }
            for listener in environment.listeners { listener.record(event) }
            hub?.record(event)
        }
    }
}

extension ActivityEvent.Kind {
    /// True for retries, rejections and failures.
    fileprivate var isTrouble: Bool {
        switch self {
        case .retrying, .ended(.rejected), .ended(.failed): true
        case .started, .attemptEnded, .cache, .responded, .ended(.completed), .ended(.cancelled): false
        }
    }
}
