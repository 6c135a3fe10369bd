#if os(Linux)
internal import NetCore
internal import NetCurl
internal import NetSocketCore
internal import Synchronization

/// An end that was read and hasn't been acted on.
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
        // What is left waits for the receiver, or for the next turn, which comes here again.
        if !stream.isClosed, !mayRead { ended("the connection broke: \(failure)", stream) }
    }

    func perform(_ action: ClosingStateMachine.Action, _ stream: ByteStream) {
        switch action.ending {
        case .closed(let closure): end(origin.closed(closure, peer: Self.peer))
        case .violated(let violation): end(origin.violated(violation))
        case .lost(let message): end(origin.lost(message))
        case nil: break
        }
        // The end is recorded first, so that the senders that the close frame wakes get the reason.
        if let frame = action.closeFrame {
            recorder?.record(.sent, .close, bytes: 2 + frame.reason.utf8.count)
            outbox.withLock { $0.appendClose(frame) }
            stream.setDeadline(after: Self.closeTimeout)
            flush(stream)
        }
        if action.drops { stream.close() }
    }

    /// Keeps an end until the receiver has taken the messages before it and asks for more: what it answers to them goes out
    /// before the close frame. It has a second; nothing is read meanwhile.
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
