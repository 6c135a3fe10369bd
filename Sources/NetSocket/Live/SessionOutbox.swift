internal import NetCore
internal import Synchronization

/// The messages of one connection of a session, in order.
///
/// A task that adds a message sends it immediately if no other message is waiting and the connection takes it without
/// suspending; that saves the hop to another task. All other messages wait for the writing task, which sends all that
/// are waiting together.
final class SessionOutbox: Sendable {
    private struct State {
        var messages: [WebSocketMessage] = []
        var size = 0
        var isClosed = false
        /// True while a message, or the batch that the writer has taken, is being passed to the connection; nothing may
        /// overtake it.
        var isSending = false
        var writer = WaiterList<Void>()
        /// The tasks that wait for room.
        var rooms = WaiterList<Void>()

        mutating func append(_ message: WebSocketMessage) {
            messages.append(message)
            size += SessionOutbox.size(message)
        }
    }

    /// The maximum size of the messages that wait to be written, in bytes. Beyond it, senders wait, and so does the
    /// reader after automatic replies of the wire protocol.
    static let limit = 1 << 20

    private static func size(_ message: WebSocketMessage) -> Int { message.count + 64 }

    private let socket: WebSocketConnection
    private let state = Mutex(State())

    init(_ socket: WebSocketConnection) {
        self.socket = socket
    }

    /// Adds a message. Does nothing once the outbox is closed.
    func put(_ message: WebSocketMessage) {
        let (isFirst, writers) = state.withLock { state -> (Bool, [WaiterList<Void>.Waiter]) in
            guard !state.isClosed else { return (false, []) }
            guard !state.isSending, state.messages.isEmpty, socket.sendsImmediately else {
                state.append(message)
                return (false, state.isSending ? [] : state.writer.releaseAll(with: ()))
            }
            state.isSending = true
            return (true, [])
        }
        for writer in writers { writer.resume() }
        if isFirst { send(message) }
    }

    /// Sends the first message. If the connection doesn't take it, it is left to the writer.
    private func send(_ message: WebSocketMessage) {
        let isSent = socket.sendImmediately(message)
        let writers = state.withLock { state -> [WaiterList<Void>.Waiter] in
            state.isSending = false
            if !isSent {
                state.messages.insert(message, at: 0)
                state.size += Self.size(message)
            }
            return state.messages.isEmpty && !state.isClosed ? [] : state.writer.releaseAll(with: ())
        }
        for writer in writers { writer.resume() }
    }

    /// Closes the outbox. Messages in it are still written; no more are added.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.writer.releaseAll(with: ()) + state.rooms.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }
    var isFull: Bool { state.withLock { $0.size > Self.limit && !$0.isClosed } }

    /// Waits while there is no room. Returns immediately once the outbox is closed or the task is cancelled.
    func waitForRoom() async {
        let waiter = state.withLock { state in
            state.size <= Self.limit || state.isClosed ? nil : state.rooms.register()
        }
        guard let waiter else { return }
        await WaiterList.wait(waiter, fallback: ()) { change in self.state.withLock { change(&$0.rooms) } }
    }

    /// Writes the waiting messages until the outbox is closed and empty. Throws the connection's error if sending
    /// fails.
    func write() async throws(NetError) {
        while let messages = await take() {
            try await socket.send(contentsOf: messages)
            state.withLock { $0.isSending = false }
        }
    }

    /// Returns all messages, at least one; nil once the outbox is closed and empty, or if the task is cancelled.
    private func take() async -> [WebSocketMessage]? {
        while true {
            let (messages, waiter, rooms) = state.withLock {
                state -> ([WebSocketMessage]?, WaiterList<Void>.ID?, [WaiterList<Void>.Waiter]) in
                if !state.isSending, !state.messages.isEmpty {
                    defer { (state.messages, state.size) = ([], 0) }
                    state.isSending = true
                    return (state.messages, nil, state.rooms.releaseAll(with: ()))
                }
                return (nil, state.isClosed && !state.isSending ? nil : state.writer.register(), [])
            }
            for room in rooms { room.resume() }
            if let messages { return messages }
            guard let waiter, !Task.isCancelled else {
                if let waiter { state.withLock { $0.writer.forget(waiter) } }
                return nil
            }
            await WaiterList.wait(waiter, fallback: ()) { change in state.withLock { change(&$0.writer) } }
        }
    }
}
