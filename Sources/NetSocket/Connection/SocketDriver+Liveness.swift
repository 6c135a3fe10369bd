#if os(Linux)
internal import NetCore
internal import NetCurl
internal import NetSocketCore
internal import Synchronization

/// The watch over a peer that may be gone.
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
        case .probe(let grace):
            probe(watch.settings.probe)
            stream.setDeadline(after: grace)
            flush(stream)
        case .dead:
            let grace = watch.settings.grace.seconds(places: 3)
            let silence = watch.settings.silence.seconds(places: 3)
            end(
                lost("the server was silent for \(silence) s, and for \(grace) s after it was asked for a sign of life")
            )
            stream.close()
        }
    }

    private func probe(_ probe: WebSocketLiveness.Probe) {
        switch probe {
        case .ping: _ = outbox.withLock { $0.appendPing(UnsafeRawBufferPointer(start: nil, count: 0)) }
        case .message(let make):
            let message = make()
            outbox.withLock { $0.appendProbe(message) }
        }
    }
}
#endif
