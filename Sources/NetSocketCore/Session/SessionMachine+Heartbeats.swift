internal import NetCore

/// Heartbeats in both directions: those that this side sends, and the limit of the server's silence. Each has a timer.
extension SessionMachine {
    /// The agreement with the server of a connection.
    struct Heartbeats: Sendable {
        /// The longest silence and the interval that the server specified.
        private var named: (silence: Duration?, interval: Duration?) = (nil, nil)
        /// The time between two heartbeats of this side; nil for none.
        private(set) var interval: Duration?
        /// True if something must arrive between two of them: the server replies to each.
        private(set) var expectsReplies = false
        /// The longest silence of the server; nil for no limit.
        private(set) var silence: Duration?

        init() {}

        init(_ opened: WireOpened) {
            named = (opened.heartbeat, opened.heartbeatInterval)
        }

        /// Completes the agreement by the settings. A wire whose server specifies only its silence, and replies to
        /// heartbeats, takes that time as their interval.
        mutating func settle(_ settings: Settings) {
            let hasReplies = settings.features.contains(.heartbeats)
            let limit = named.silence.flatMap { $0 > .zero ? $0 : nil }
            if let interval = named.interval {
                self.interval = interval > .zero ? interval : nil
            } else if hasReplies {
                interval = limit ?? settings.heartbeatInterval
            }
            expectsReplies = hasReplies && (named.silence == nil || named.interval == nil && limit != nil)
            silence = expectsReplies ? nil : limit
        }
    }

    /// Starts the timers of an open connection.
    mutating func startHeartbeats(_ now: Duration, _ effects: inout [Effect]) {
        heartbeats.settle(settings)
        (hasHeard, lastHeard) = (true, now)
        if let interval = heartbeats.interval { effects.append(.setTimer(.heartbeat, now + interval)) }
        if let silence = heartbeats.silence { effects.append(.setTimer(.silence, now + silence)) }
    }

    /// Stops the timers of a connection that has ended.
    mutating func endHeartbeats(_ effects: inout [Effect]) {
        effects.append(.clearTimer(.heartbeat))
        if heartbeats.silence != nil { effects.append(.clearTimer(.silence)) }
        heartbeats = Heartbeats()
    }

    /// Records that data has arrived.
    mutating func heard(_ now: Duration, _ effects: inout [Effect]) {
        (hasHeard, lastHeard) = (true, now)
        endProbe(&effects)
    }

    /// Sends a heartbeat. Any data received since the last one is a reply.
    mutating func beat(_ chance: Chance, _ now: Duration, _ effects: inout [Effect]) {
        guard let id = openConnection, let interval = heartbeats.interval else { return }
        guard hasHeard || !heartbeats.expectsReplies else {
            return silent(id, "for \(interval), not even a response to a heartbeat", chance, now, &effects)
        }
        hasHeard = false
        lastNumber += 1
        effects += [.send(id, .heartbeat(.number(lastNumber))), .setTimer(.heartbeat, now + interval)]
    }

    /// Ends the connection if the server was silent for too long.
    mutating func checkSilence(_ chance: Chance, _ now: Duration, _ effects: inout [Effect]) {
        guard let id = openConnection, let silence = heartbeats.silence else { return }
        guard now - lastHeard >= silence else {
            return effects.append(.setTimer(.silence, lastHeard + silence))
        }
        silent(id, "for \(silence), the longest silence that it announced", chance, now, &effects)
    }

    private mutating func silent(
        _ id: ConnectionID, _ time: String, _ chance: Chance, _ now: Duration, _ effects: inout [Effect]
    ) {
        let error = NetError(
            .connectionLost, phase: .receiving, message: "the server sent nothing \(time)",
            closure: WebSocketClosure(code: .abnormalClosure))
        effects.append(.close(id, .abnormalClosure))
        lost(id, error, chance, now, &effects)
    }
}
