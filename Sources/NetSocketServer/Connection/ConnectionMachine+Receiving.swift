#if Server
internal import NetCore
internal import NetSocketCore

/// Signals from the client.
extension ConnectionMachine {
    mutating func received(
        _ signal: WireSignal, now: Duration, _ effects: inout [Effect], order: (WireRequest) -> Order
    ) {
        switch phase {
        case .over: return
        case .opening: receivedEarly(signal, now, &effects)
        case .open, .draining:
            if isResuming {
                hold(signal, &effects)
            } else if isIdentifying, mustHold(signal) {
                holdForUser(signal, &effects)
            } else {
                take(signal, now, &effects, order)
            }
        }
    }

    mutating func receivedEarly(_ signal: WireSignal, _ now: Duration, _ effects: inout [Effect]) {
        let isAuthenticating = running.contains { $0.work.isAuthentication }
        switch signal {
        case .open(let payload) where settings.hasOpening && !isAuthenticating:
            start(.opening(payload), serial: true, now, &effects)
        case .open where settings.hasOpening:
            end(.openedTwice, "the connection was opened twice", &effects)
        case .request(let request) where request.event == settings.authentication && !settings.hasOpening:
            if isAuthenticating {
                hold(signal, &effects)
            } else {
                start(.authentication(request), serial: true, now, &effects)
            }
        case .heartbeat, .alive: break
        case .end: end(.normalClosure, "", &effects)
        default: hold(signal, &effects)
        }
    }

    /// Holds a signal that arrived before the client was authenticated.
    mutating func hold(_ signal: WireSignal, _ effects: inout [Effect]) {
        held.append(signal)
        heldBytes += signal.weight
        guard held.count <= settings.maximumHeldSignals, heldBytes <= settings.maximumHeldBytes else {
            return end(.policyViolation, "too much was sent before the connection was open", &effects)
        }
    }

    mutating func releaseHeld(
        _ now: Duration, _ effects: inout [Effect], _ order: (WireRequest) -> Order
    ) {
        let signals = held
        (held, heldBytes) = ([], 0)
        for signal in signals { received(signal, now: now, &effects, order: order) }
    }

    mutating func take(
        _ signal: WireSignal, _ now: Duration, _ effects: inout [Effect], _ order: (WireRequest) -> Order
    ) {
        switch signal {
        case .request(let request): requested(request, now, &effects, order)
        case .cancel(let id): cancel(id, now, &effects)
        case .join(let join): joining(join, now, &effects)
        case .leave(let id, let topic): leaving(id, topic, now, &effects)
        case .subscribe(let id, let payload): subscribing(id, payload, now, &effects)
        case .unsubscribe(let id): cancel(id, now, &effects)
        case .resume(let resume):
            guard resume.session.utf8.count <= settings.maximumNameBytes else {
                return end(.policyViolation, "the name of the session is too long", &effects)
            }
            isResuming = true
            effects.append(.resume(resume))
        case .numbered(let number, let signal):
            do throws(NetError) {
                guard try delivery?.receive(number) == true else { return }
                take(signal, now, &effects, order)
            } catch {
                end(.protocolError, error.message, &effects)
            }
        case .acknowledge(let number):
            do throws(NetError) { try delivery?.acknowledge(upTo: number) } catch {
                end(.protocolError, error.message, &effects)
            }
        case .end: end(.normalClosure, "", &effects)
        case .open:
            if settings.hasOpening {
                end(.openedTwice, "the connection was opened twice", &effects)
            }
        // Only a server sends the other signals.
        default: break
        }
    }
}
#endif
