#if Server
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The outlet of a connection over a link: one task writes, and one reads.
final class LinkOutlet: SocketOutlet {
    private enum Item: Sendable {
        case message(WebSocketMessage)
        case ping
        case close(WebSocketClosure)
    }

    private struct State {
        var items: [Item] = []
        var bytes = 0
        var isReading = true
        /// Reading isn't paused any more, since the end has to be read.
        var isEnding = false
        var isDropped = false
        var isFinished = false
        var waiters = WaiterList<Void>()
    }

    /// The maximum number of bytes handed to the link ahead of its consumption.
    private static let maximumBytes = 64 << 10

    private let link: any WebSocketLink
    private let connection: ServerConnection
    private let state = Mutex(State())

    init(_ link: any WebSocketLink, _ connection: ServerConnection) {
        self.link = link
        self.connection = connection
    }

    var isWritable: Bool { state.withLock { $0.bytes < Self.maximumBytes } }
    func send(_ message: WebSocketMessage) { add(.message(message), bytes: message.count) }
    func send(_ frame: SharedFrame) { send(frame.message) }
    func ping() { add(.ping, bytes: 0) }

    func close(_ code: WebSocketCloseCode, _ reason: String) {
        add(.close(WebSocketClosure(code: code, reason: reason, isByPeer: false)), bytes: 0)
        change { ($0.isReading, $0.isEnding) = (true, true) }
    }

    func drop() {
        connection.isCloseConfirmed = false
        link.drop()
        change { ($0.isReading, $0.isEnding, $0.isDropped) = (true, true, true) }
    }

    func setReading(_ isReading: Bool) { change { $0.isReading = isReading || $0.isEnding } }
    func finish() { change { $0.isFinished = true } }

    private func add(_ item: Item, bytes: Int) {
        change { state in
            state.items.append(item)
            state.bytes += bytes
        }
    }

    private func change(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            return state.waiters.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    // MARK: Tasks

    /// Writes until ``finish()`` is called.
    func write() async {
        await withDiscardingTaskGroup { group in
            while let items = await nextItems() {
                for item in items { await write(item, &group) }
                let isFree = isWritable
                if isFree { connection.lane.run { self.connection.hasRoom() } }
            }
        }
    }

    private func write(_ item: Item, _ group: inout DiscardingTaskGroup) async {
        switch item {
        case .message(let message):
            // If the link can't send any more, the reader ends as well.
            let hasSent = (try? await link.send(message)) != nil
            state.withLock { $0.bytes -= message.count }
            if hasSent { connection.lane.run { [connection] in connection.heardSomething = true } }
        case .ping:
            // Later messages don't wait for the pong.
            group.addTask { [link, connection] in
                let hasAnswered = (try? await link.ping()) != nil
                guard hasAnswered else { return }
                connection.lane.run {
                    connection.bytesArrived(0)
                    connection.pongArrived()
                }
            }
        case .close(let closure): await link.close(closure)
        }
    }

    private func nextItems() async -> [Item]? {
        while true {
            let (items, id, isOver) = state.withLock { state -> ([Item], WaiterList<Void>.ID?, Bool) in
                guard state.items.isEmpty else {
                    defer { state.items = [] }
                    return (state.items, nil, false)
                }
                return state.isFinished ? ([], nil, true) : ([], state.waiters.register(), false)
            }
            if isOver { return nil }
            guard let id else { return items }
            // Canceled or not, the remaining messages have to be written.
            await withUnsafeContinuation { continuation in
                state.withLock { $0.waiters.suspend(id, continuation, fallback: ()) }?.resume()
            }
        }
    }

    /// Reads until the link has ended. A link that was dropped isn't waited for.
    func readUntilDropped() async {
        await withTaskGroup { group in
            group.addTask { await self.read() }
            group.addTask { await self.waitForDrop() }
            await group.next()
            group.cancelAll()
        }
    }

    private func waitForDrop() async {
        while !Task.isCancelled {
            let id = state.withLock { $0.isDropped ? nil : $0.waiters.register() }
            guard let id else { return }
            await wait(id)
        }
    }

    private func read() async {
        while await waitForTurn() {
            do {
                let messages = try await link.receive()
                connection.lane.run {
                    self.connection.bytesArrived(0)
                    for message in messages { self.connection.received(message) }
                }
            } catch {
                let closure = error.closure
                connection.lane.run {
                    if let closure { self.connection.closing(closure) }
                    self.connection.ended()
                }
                return
            }
        }
        connection.lane.run { self.connection.ended() }
    }

    /// Waits while reading is paused. Returns false once reading has ended.
    private func waitForTurn() async -> Bool {
        while true {
            let (mayRead, id) = state.withLock { state -> (Bool, WaiterList<Void>.ID?) in
                state.isReading || state.isFinished ? (!state.isFinished, nil) : (false, state.waiters.register())
            }
            guard let id else { return mayRead }
            await wait(id)
            if Task.isCancelled { return false }
        }
    }

    private func wait(_ id: WaiterList<Void>.ID) async {
        await WaiterList.wait(id, fallback: ()) { change in self.state.withLock { change(&$0.waiters) } }
    }
}
#endif
