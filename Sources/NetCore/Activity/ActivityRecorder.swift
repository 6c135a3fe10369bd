internal import HTTPTypes
internal import Synchronization

/// Hears of the events of one call.
package protocol CallObserver: AnyObject, Sendable {
    /// Takes an event of the attempt under way; as a listener does, it returns at once.
    func hear(_ event: ActivityEvent, attempt: Int, in environment: CallContext.Environment)
}

/// What all parts of one call share: what it is, and who hears of it. Numbers its events and hands them to the listeners, in
/// order, the last one once.
package final class ActivityRecorder: Sendable {
    /// Which events of a call an observer is told of.
    package enum Interest: Sendable {
        case everything
        /// Pauses before another attempt, and an end that is neither as wished nor cancelled.
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
        /// The redacted URL, once somebody asked.
        var url: String?
        /// The attempt under way.
        var attempt = 1
        var trail: RedirectTrail?
        /// The first one has its place without a list.
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

    /// Made only when somebody looks: a call that goes well and has no listener never pays for it.
    private var url: String { (target.options.redaction ?? environment.redaction).redact(url: target.url) }

    /// Which request this is, after the redirects that led there.
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

    /// A redirect is followed.
    func reached(_ trail: RedirectTrail?) { state.withLock { $0.trail = trail } }

    /// The highest number of an attempt.
    var lastAttempt: Int { attempts.load(ordering: .relaxed) }

    /// Such an attempt begins.
    func reached(attempt: Int) { attempts.max(attempt, ordering: .relaxed) }

    /// Whether anybody listens to everything.
    package var isHeard: Bool {
        environment.hub?.hasSubscribers == true || !environment.listeners.isEmpty
            || isObserved.load(ordering: .relaxed)
    }

    /// Reports further events of this call to `observer`, as to a listener; an observer that is there already is not added
    /// again. A call that goes well costs one that watches for trouble nothing.
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

    /// Tells the listeners. The lock is held while they hear it, so that they hear the events of a call in order; they
    /// return at once. Whatever comes after the end is dropped.
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
    /// Whether something went another way than the caller wished.
    fileprivate var isTrouble: Bool {
        switch self {
        case .retrying, .ended(.rejected), .ended(.failed): true
        case .started, .attemptEnded, .cache, .responded, .ended(.completed), .ended(.cancelled): false
        }
    }
}
