import NetCore
import Synchronization
import Testing

@testable import NetSocket

/// The order of a session's messages, regardless of the task that writes them.
@Suite(.timeLimit(.minutes(1)))
struct SessionOutboxTests {
    /// A link that accepts messages immediately, or only from a task that can wait.
    private final class Link: WebSocketLink, ImmediateSending {
        struct State {
            var isFull = false
            var atOnce: [String] = []
            var sent: [String] = []
            /// Called before a message is accepted immediately.
            var before: (@Sendable () -> Void)?
        }

        let response = ResponseHead(status: .switchingProtocols)
        let subprotocol: String? = nil
        let state = Mutex(State())

        func sendImmediately(_ message: WebSocketMessage) -> Bool {
            let before = state.withLock { state in
                defer { state.before = nil }
                return state.before
            }
            before?()
            return state.withLock { state in
                guard !state.isFull else { return false }
                state.atOnce.append(message.text ?? "")
                state.sent.append(message.text ?? "")
                return true
            }
        }

        func send(_ message: WebSocketMessage) async throws(NetError) { try await send(contentsOf: [message]) }
        func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {
            state.withLock { $0.sent += messages.map { $0.text ?? "" } }
        }
        func receive() async throws(NetError) -> [WebSocketMessage] { [] }
        func ping() async throws(NetError) -> Duration { .zero }
        func close(_ closure: WebSocketClosure) async {}
    }

    private let link = Link()

    private func outbox() -> SessionOutbox { SessionOutbox(WebSocketConnection(link)) }

    @Test func aMessageThatNothingIsBeforeGoesOutAtOnce() async throws {
        let outbox = outbox()
        for text in ["1", "2"] { outbox.put(.text(text)) }
        #expect(link.state.withLock { $0.atOnce } == ["1", "2"])
        outbox.close()
        outbox.put(.text("late"))
        try await outbox.write()
        #expect(link.state.withLock { $0.sent } == ["1", "2"])
    }

    @Test func messagesTheConnectionDidNotAcceptAreWrittenFirst() async throws {
        let outbox = outbox()
        link.state.withLock { $0.isFull = true }
        outbox.put(.text("1"))
        link.state.withLock { $0.isFull = false }
        for text in ["2", "3"] { outbox.put(.text(text)) }
        #expect(link.state.withLock { $0.sent } == [])
        outbox.close()
        try await outbox.write()
        #expect(link.state.withLock { $0.sent } == ["1", "2", "3"])
        #expect(link.state.withLock { $0.atOnce } == [])
    }

    @Test func nothingOvertakesAMessageOnItsWay() async throws {
        let outbox = outbox()
        link.state.withLock { $0.before = { outbox.put(.text("2")) } }
        outbox.put(.text("1"))
        #expect(link.state.withLock { $0.sent } == ["1"])
        outbox.close()
        try await outbox.write()
        #expect(link.state.withLock { $0.sent } == ["1", "2"])
    }

    @Test func theWriterWaitsForAMessageOnItsWayBeforeTheEnd() async throws {
        let outbox = outbox()
        link.state.withLock { state in
            state.isFull = true
            state.before = { outbox.close() }
        }
        let writing = Task { try await outbox.write() }
        outbox.put(.text("1"))
        try await writing.value
        #expect(link.state.withLock { $0.sent } == ["1"])
    }

    @Test func manyTasksLoseNothing() async throws {
        let outbox = outbox()
        let writing = Task { try await outbox.write() }
        await withDiscardingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<200 {
                        link.state.withLock { $0.isFull = number % 7 == 0 }
                        outbox.put(.text("\(task) \(number)"))
                    }
                }
            }
        }
        outbox.close()
        try await writing.value
        let sent = link.state.withLock { $0.sent }
        #expect(sent.count == 1600)
        for task in 0..<8 {
            #expect(sent.filter { $0.hasPrefix("\(task) ") } == (0..<200).map { "\(task) \($0)" })
        }
    }

    // MARK: Room

    /// A link on which only tasks can send; each message costs 64 bytes in addition to its own.
    private final class SlowLink: WebSocketLink {
        let response = ResponseHead(status: .switchingProtocols)
        let subprotocol: String? = nil
        let sent = Mutex(0)
        func send(_ message: WebSocketMessage) async throws(NetError) { sent.withLock { $0 += 1 } }
        func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {
            sent.withLock { $0 += messages.count }
        }
        func receive() async throws(NetError) -> [WebSocketMessage] { [] }
        func ping() async throws(NetError) -> Duration { .zero }
        func close(_ closure: WebSocketClosure) async {}
    }

    private static func message(ofAll bytes: Int) -> WebSocketMessage {
        .binary(Bytes([UInt8](repeating: 0, count: bytes - 64)))
    }

    @Test func itIsFullBeyondItsLimit() async throws {
        for (first, second) in [(SessionOutbox.limit - 64, 64), (SessionOutbox.limit - 100, 100)] {
            let (link, outbox) = Self.slowOutbox()
            #expect(!outbox.isFull)
            outbox.put(Self.message(ofAll: first))
            outbox.put(Self.message(ofAll: second))
            #expect(!outbox.isFull)
            await outbox.waitForRoom()
            outbox.put(Self.message(ofAll: 64))
            #expect(outbox.isFull)
            let waiting = Task { await outbox.waitForRoom() }
            let writing = Task { try await outbox.write() }
            await waiting.value
            while link.sent.withLock({ $0 }) < 3, !Task.isCancelled { await Task.yield() }
            // Written messages no longer count.
            writing.cancel()
            _ = await writing.result
            outbox.put(Self.message(ofAll: SessionOutbox.limit))
            #expect(!outbox.isFull)
            outbox.put(Self.message(ofAll: 64))
            #expect(outbox.isFull)
            let last = Task { await outbox.waitForRoom() }
            outbox.close()
            await last.value
            #expect(!outbox.isFull)
            #expect(outbox.isClosed)
            await outbox.waitForRoom()
        }
        #expect(SessionOutbox.limit == 1 << 20)
    }

    @Test func waitForRoomSuspendsWhileTheOutboxIsFull() async throws {
        let (_, outbox) = Self.slowOutbox()
        outbox.put(Self.message(ofAll: SessionOutbox.limit + 1))
        let isOver = Mutex(false)
        let waiting = Task {
            await outbox.waitForRoom()
            isOver.withLock { $0 = true }
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(!isOver.withLock { $0 })
        waiting.cancel()
        await waiting.value
    }

    /// It counts like any other, and is written although no other event follows.
    @Test func aMessageThatTheConnectionDoesNotTakeWakesTheWriter() async throws {
        let outbox = outbox()
        link.state.withLock { $0.isFull = true }
        outbox.put(Self.message(ofAll: SessionOutbox.limit))
        #expect(!outbox.isFull)
        outbox.put(Self.message(ofAll: 64))
        #expect(outbox.isFull)
        let writing = Task { try await outbox.write() }
        while link.state.withLock({ $0.sent.count }) < 2, !Task.isCancelled { await Task.yield() }
        for _ in 0..<50 { await Task.yield() }
        outbox.put(.text("later"))
        while link.state.withLock({ $0.sent.count }) < 3, !Task.isCancelled { await Task.yield() }
        #expect(link.state.withLock { $0.sent.last } == "later")
        outbox.close()
        try await writing.value
    }

    private static func slowOutbox() -> (SlowLink, SessionOutbox) {
        let link = SlowLink()
        return (link, SessionOutbox(WebSocketConnection(link)))
    }
}
