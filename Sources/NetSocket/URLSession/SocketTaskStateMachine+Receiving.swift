#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import NetCore
internal import NetSocketCore

/// Receiving. At most one `receive` is outstanding, and none while the inbox is full: URLSession then stops reading,
/// and TCP slows the peer down.
extension SocketTaskStateMachine {
    enum TakeAction: Sendable {
        case messages([WebSocketMessage])
        case ended(NetError)
        case wait(Waiters.ID)
        /// Another task is receiving.
        case busy
    }

    /// Takes all messages.
    mutating func take() -> TakeAction {
        guard inbox.isEmpty else {
            defer { (inbox, inboxBytes) = ([], 0) }
            let messages = inbox
            inboxBytes = 0
            askForMore()
            return .messages(messages)
        }
        if case .ended(let error) = state { return .ended(error) }
        guard receiver == nil else { return .busy }
        let id = waiters.register()
        receiver = id
        return .wait(id)
    }

    /// Handles a message returned by a `receive`.
    mutating func received(_ message: WebSocketMessage, now: Duration) {
        isReceiving = false
        lastSign = now
        switch state {
        case .open, .ending:
            guard message.count <= settings.maximumMessageBytes else { return violated(tooBig) }
            inbox.append(message)
            inboxBytes += message.count + Self.messageCost
            act(.report(.received(message)))
            resume(\.receiver, .done)
        case .connecting, .closing, .ended: break
        }
        askForMore()
    }

    /// Handles a failed `receive`. No later one can succeed.
    mutating func receiveFailed(_ error: NetError) {
        (isReceiving, canReceive) = (false, false)
        taskFailed(error)
    }

    /// Asks URLSession for the next message, unless the inbox is full. While a pong is awaited, the inbox takes twice
    /// its limit, since the pong may be behind messages.
    mutating func askForMore() {
        let isWanted =
            switch state {
            case .open, .ending: inboxBytes < (pings.isEmpty ? 1 : 2) * settings.inboxBytes
            // The peer's close frame may be behind messages that won't be received.
            case .closing: true
            case .connecting, .ended: false
            }
        if isWanted, canReceive, !isReceiving {
            isReceiving = true
            act(.receive)
        }
        if case .ending(_, isCertain: true) = state { setDeadline(isReceiving ? Self.endTimeout : nil) }
    }

    var tooBig: WebSocketViolation {
        WebSocketViolation(.messageTooBig, "a message has more than \(settings.maximumMessageBytes) bytes")
    }
}
#endif
