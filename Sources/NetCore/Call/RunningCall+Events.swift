internal import Synchronization

/// An observer of the events of one call.
package protocol CallObserver: AnyObject, Sendable {
    /// Receives an event of the current attempt. Like a listener, it must return immediately.
    func hear(_ event: ActivityEvent, attempt: Int, in environment: CallContext.Environment)
}

/// The events of one call so far, and its observers.
struct CallEvents {
    struct Observer: Sendable {
        let interest: RunningCall.Interest
        let observer: any CallObserver

        func hears(_ isTrouble: Bool) -> Bool { isTrouble || interest == .everything }
    }

    var sequence = 0
    var hasEnded = false
    /// The redacted URL; nil until it is first needed.
    var url: String?
    /// The first observer, stored without an array.
    private var observer: Observer?
    private var furtherObservers: [Observer] = []
    /// The listeners that middleware adds for the WebSocket that the call opens, each with the middleware's mark.
    fileprivate(set) var socketListeners: [(mark: ObjectIdentifier, listener: SocketEventListener)] = []

    mutating func add(_ new: Observer) {
        if observer?.observer === new.observer || furtherObservers.contains(where: { $0.observer === new.observer }) {
            return
        }
        if observer == nil { observer = new } else { furtherObservers.append(new) }
    }

    func tellObservers(
        of event: ActivityEvent, isTrouble: Bool, attempt: Int, in environment: CallContext.Environment
    ) {
        if let observer, observer.hears(isTrouble) { observer.observer.hear(event, attempt: attempt, in: environment) }
        for each in furtherObservers where each.hears(isTrouble) {
            each.observer.hear(event, attempt: attempt, in: environment)
        }
    }
}

/// The receivers of a call's events: the client's listeners and streams, and the observers that middleware adds.
extension RunningCall {
    /// The events of a call that an observer receives.
    package enum Interest: Sendable {
        case everything
        /// Retries, rejections and failures.
        case trouble
    }

    /// True if any listener, subscriber or observer receives all events.
    package var isHeard: Bool {
        environment.hub?.hasSubscribers == true || !environment.callListeners.isEmpty
            || isObserved.load(ordering: .relaxed)
    }

    /// Reports further events of this call to `observer`, in the same way as to a listener. An observer that is already
    /// registered isn't added again. An observer for `.trouble` adds no cost to a successful call.
    package func observe(_ interest: Interest, _ observer: any CallObserver) {
        events.withLock { $0.add(CallEvents.Observer(interest: interest, observer: observer)) }
        switch interest {
        case .everything: isObserved.store(true, ordering: .relaxed)
        case .trouble: isWatchedForTrouble.store(true, ordering: .relaxed)
        }
    }

    /// The listeners that middleware has added for the WebSocket that the call opens.
    var socketListeners: [SocketEventListener] { events.withLock { $0.socketListeners.map(\.listener) } }

    /// Reports the events of the WebSocket that this call opens to `listener`, in the same way as to a listener of the
    /// client. A second listener with the same mark isn't added.
    package func observeSocket(_ listener: any ActivityListener, mark: AnyObject) {
        let mark = ObjectIdentifier(mark)
        guard let listener = SocketEventListener(listener) else { return }
        events.withLock { events in
            guard !events.socketListeners.contains(where: { $0.mark == mark }) else { return }
            events.socketListeners.append((mark, listener))
        }
    }

    /// Numbers an event and reports it to the listeners. They are called under the lock, so that they receive the
    /// events of a call in order, and must return immediately. Events after the end are dropped.
    func record(_ kind: ActivityEvent.Kind) {
        let hub = environment.hub.flatMap { $0.hasSubscribers ? $0 : nil }
        let isTrouble = kind.isTrouble
        guard
            hub != nil || !environment.callListeners.isEmpty || isObserved.load(ordering: .relaxed)
                || isTrouble && isWatchedForTrouble.load(ordering: .relaxed)
        else { return }
        let date = environment.clock.date()
        let elapsed = elapsed
        events.withLock { events in
            guard !events.hasEnded else { return }
            events.sequence += 1
            if case .ended = kind { events.hasEnded = true }
            let url = events.url ?? self.url
            events.url = url
            let event = ActivityEvent(
                call: id, sequence: events.sequence, date: date, elapsed: elapsed, method: method, url: url,
                metadata: metadata, kind: kind)
            events.tellObservers(of: event, isTrouble: isTrouble, attempt: attempt(of: kind), in: environment)
            for listener in environment.callListeners { listener.record(event) }
            hub?.record(event)
        }
    }

    private func attempt(of kind: ActivityEvent.Kind) -> Int {
        if case .attemptEnded(let attempt) = kind { attempt.number } else { max(1, attempts) }
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
