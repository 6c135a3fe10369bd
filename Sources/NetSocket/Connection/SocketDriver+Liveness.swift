#if os(Linux)
internal import NetCore
internal import NetCurl
internal import NetSocketCore
internal import Synchronization

/// Watches for a peer that may be gone.
final class LivenessWatch {
    var machine: LivenessStateMachine
    let settings: WebSocketLiveness

    init(_ settings: WebSocketLiveness, now: Duration) {
        self.settings = settings
        machine = LivenessStateMachine(settings, now: now)
    }
}

/// Everything runs on the loop's thread.
extension SocketDriver {
    func beginWatch(_ settings: WebSocketLiveness, _ stream: ByteStream) {
        watch = LivenessWatch(settings, now: stream.now)
        stream.setDeadline(after: settings.silence)
    }

    /// Handles the deadline of a connection that is open.
    func checkLiveness(_ stream: ByteStream) {
        guard let watch else { return }
        watch.machine.byteArrived(now: .nanoseconds(lastByte.load(ordering: .relaxed)))
        let isPaused = inbox.withLock { $0.isReadingPaused }
        switch watch.machine.deadlinePassed(now: stream.now, isPaused: isPaused) {
        case .wait(let time): stream.setDeadline(after: time)
        case .probe(let time):
            probe(watch.settings.probe)
            stream.setDeadline(after: time)
            flush(stream)
        case .dead:
            end(origin.lost(SocketOrigin.silence(of: Self.peer, watch.settings)))
            stream.close()
        }
    }

    private func probe(_ probe: WebSocketLiveness.Probe) {
        if case .message(let make) = probe {
            let message = make()
            if outbox.withLock({ $0.appendProbe(message) }) {
                recorder?.record(.sent, message)
                return
            }
        }
        // A ping is also sent if there is no room for the probe message between the parts of another message.
        let payload = pings.withLock { $0.beginUnawaited(now: origin.clock.now()) }
        _ = outbox.withLock { $0.appendPing(payload) }
        recorder?.record(.sent, .ping, bytes: payload.count)
    }
}
#endif
