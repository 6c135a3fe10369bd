internal import NetCore
internal import NetRecord
internal import Synchronization

/// The messages of a WebSocket, up to a limit of bytes, with the pauses between them.
final class SocketTape: Sendable {
    private struct State {
        var messages: [(id: Int, message: RecordedSocket.Message)] = []
        var next = 0
        var count = 0
        var isCut = false
        /// The time of the previous message.
        var last: Duration
        var ending: (RecordedSocket.Ending, delay: Duration)?
    }

    private let limit: Int
    private let clock: NetClock
    private let state: Mutex<State>

    init(limit: Int, clock: NetClock) {
        self.limit = limit
        self.clock = clock
        state = Mutex(State(last: clock.now()))
    }

    /// Adds a message, and returns its number. Recording stops at the first message that exceeds the limit.
    @discardableResult
    func append(_ sender: RecordedSocket.Side, _ message: WebSocketMessage) -> Int {
        let now = clock.now()
        return state.withLock { state in
            state.next += 1
            state.count += message.count
            if state.count > limit { state.isCut = true }
            guard !state.isCut, state.ending == nil else { return state.next }
            state.messages.append((state.next, .init(sender, Self.copy(message), after: now - state.last)))
            state.last = now
            return state.next
        }
    }

    /// Removes a message that couldn't be sent.
    func remove(_ id: Int) {
        state.withLock { state in state.messages.removeAll { $0.id == id } }
    }

    /// Records the end; only the first call has an effect. Returns true for the first call.
    func end(_ ending: RecordedSocket.Ending) -> Bool {
        let now = clock.now()
        return state.withLock { state in
            guard state.ending == nil else { return false }
            state.ending = (ending, now - state.last)
            return true
        }
    }

    /// The recording up to now. A WebSocket that is still open ends here, as abandoned by the client.
    var socket: RecordedSocket {
        let now = clock.now()
        return state.withLock { state in
            let (ending, delay) = state.ending ?? (.left, now - state.last)
            return RecordedSocket(
                state.messages.map(\.message), ending: state.isCut ? nil : ending,
                endDelay: state.isCut ? .zero : delay,
                isCut: state.isCut)
        }
    }

    /// Copies the bytes, because a slice would keep the transport's whole buffer alive.
    private static func copy(_ message: WebSocketMessage) -> WebSocketMessage {
        message.binary.map { .binary(Bytes(Array($0))) } ?? message
    }
}

extension RecordedSocket.Ending {
    /// The client left the WebSocket open; what follows is unknown.
    static let left = Self.failed(
        .init(code: NetError.Code.cancelled.rawValue, message: "the client left the WebSocket here"))

    /// The end for an error that receiving threw.
    init(_ error: NetError) {
        if let closure = error.closure, error.code == .webSocketClosed {
            self = .closed(
                closure.decisiveCode, reason: closure.sentCode == nil ? closure.reason : closure.sentReason,
                by: closure.isByPeer ? .server : .client)
        } else {
            self = .failed(.init(code: error.code.rawValue, message: error.message))
        }
    }
}
