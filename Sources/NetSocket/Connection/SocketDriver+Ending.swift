#if os(Linux)
internal import NetCore
internal import NetCurl
internal import NetSocketCore
internal import Synchronization

/// An end that has been read but not acted on.
enum HeldEnd {
    case closed(WebSocketCloseCode, String)
    case violated(WebSocketViolation)
}

/// Writing, and the ways in which a connection ends. Everything runs on the loop's thread.
extension SocketDriver {
    func flush(_ stream: ByteStream, becameWritable: Bool = false) {
        for waiter in outbox.withLock({ $0.flush(becameWritable: becameWritable) }) { waiter.resume() }
    }

    /// Handles a failed write: reads what the peer sent before it went away, then ends the connection.
    func endAfterWriteFailure(_ stream: ByteStream) {
        guard !stream.isClosed, let failure = outbox.withLock({ $0.writeFailure }) else { return }
        (mayRead, isEnding) = (true, true)
        read(stream)
        // Unread bytes wait for the receiver, or for the next turn, which calls this function again.
        if !stream.isClosed, !mayRead { ended("the connection broke: \(failure)", stream) }
    }

    func perform(_ action: ClosingStateMachine.Action, _ stream: ByteStream) {
        switch action.ending {
        case .closed(let closure): end(origin.closed(closure, peer: Self.peer))
        case .unconfirmed(let closure): end(origin.unconfirmed(closure, peer: Self.peer))
        case .violated(let violation): end(origin.violated(violation))
        case .lost(let message): end(origin.lost(message))
        case nil: break
        }
        // The end is recorded first, so that senders woken by the close frame get the reason.
        if let frame = action.closeFrame {
            recorder?.record(.sent, .close, bytes: 2 + frame.reason.utf8.count)
            outbox.withLock { $0.appendClose(frame) }
            stream.setDeadline(after: Self.closeTimeout)
            flush(stream)
        }
        if action.drops { stream.close() }
    }

    /// Keeps an end until the receiver has taken the messages before it and asks for more, so that its replies to them
    /// are sent before the close frame. The receiver has one second; nothing is read in the meantime.
    func hold(_ end: HeldEnd, _ stream: ByteStream) {
        deliver()
        held = end
        guard closing.takesMessages else { return endHeld(stream) }
        stream.setDeadline(after: Self.answerTimeout)
        endIfAnswered(stream)
    }

    func endIfAnswered(_ stream: ByteStream) {
        if inbox.withLock({ $0.holdsEnd() }) { return }
        endHeld(stream)
    }

    func endHeld(_ stream: ByteStream) {
        guard let end = held.take() else { return }
        switch end {
        case .closed(let code, let reason): perform(closing.receivedClose(code, reason: reason), stream)
        case .violated(let violation): perform(closing.violated(violation), stream)
        }
    }

    /// Reports the end of the connection to the receiver and to the waiting pings, once.
    func end(_ error: NetError) {
        let receiver = inbox.withLock { $0.end(error) }
        // A consumer that has received the end must not be able to send any more.
        outbox.withLock { $0.stopAccepting() }
        recorder?.closed(error)
        receiver?.resume()
        for waiter in pings.withLock({ $0.fail(error) }) { waiter.resume() }
    }
}
#endif
