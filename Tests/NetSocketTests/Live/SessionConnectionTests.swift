import NetCore
import NetSocketCore
import NetTesting
import Synchronization
import Testing

@testable import NetSocket

/// Writing, negotiating and closing a session's connection.
@Suite(.timeLimit(.minutes(1)))
struct SessionConnectionTests {
    /// A link that fails to send, or waits to, and records its calls.
    private final class Link: WebSocketLink {
        let response = ResponseHead(status: .switchingProtocols)
        let subprotocol: String? = nil
        let asked = Mutex<[String]>([])
        let isDropped = Gate()
        private let failure: NetError?
        private let gate: Gate?

        init(failure: NetError? = nil, gate: Gate? = nil) { (self.failure, self.gate) = (failure, gate) }

        func note(_ text: String) { asked.withLock { $0.append(text) } }
        var notes: [String] { asked.withLock { $0 } }

        func send(_ message: WebSocketMessage) async throws(NetError) { try await send(contentsOf: [message]) }
        func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {
            await gate?.wait()
            if let failure { throw failure }
            note("send \(messages.count)")
        }
        /// Ignores cancellation.
        func receive() async throws(NetError) -> [WebSocketMessage] {
            await isDropped.wait()
            throw NetError(.connectionLost, phase: .receiving, message: "dropped")
        }
        func ping() async throws(NetError) -> Duration { .zero }
        func close(_ closure: WebSocketClosure) async { note("close \(closure.code.rawValue)") }
        func drop() {
            note("drop")
            Task { await isDropped.open() }
        }
    }

    private static func settle() async { for _ in 0..<200 { await Task.yield() } }

    @Test func itIsClosedOnceEverythingIsWritten() async {
        let (link, gate, clock) = (Link(), Gate(), TestClock())
        let connection = SessionConnection(1, WebSocketConnection(link))
        connection.outbox.put(.text("1"))
        connection.outbox.close()
        let closing = Task { await connection.close(.goingAway, on: clock.netClock) }
        await Self.settle()
        #expect(link.notes == [])
        await gate.open()
        await connection.write()
        await closing.value
        #expect(link.notes == ["send 1", "close 1001"])
    }

    @Test func aPeerThatDoesNotReadHoldsTheCloseForFiveSeconds() async throws {
        let (link, clock) = (Link(), TestClock())
        let connection = SessionConnection(1, WebSocketConnection(link))
        let closing = Task { await connection.close(.normalClosure, on: clock.netClock) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .milliseconds(4999))
        await Self.settle()
        #expect(link.notes == [])
        await clock.advance(by: .milliseconds(1))
        await closing.value
        #expect(link.notes == ["close 1000"])
    }

    @Test func aWriteThatFailsDropsTheConnection() async {
        let link = Link(failure: NetError(.connectionLost, phase: .sending, message: "gone"))
        let (connection, clock) = (SessionConnection(1, WebSocketConnection(link)), TestClock())
        connection.outbox.put(.text("1"))
        #expect(!connection.outbox.isClosed)
        await connection.write()
        #expect(link.notes == ["drop"])
        #expect(connection.outbox.isClosed)
        await connection.close(.normalClosure, on: clock.netClock)
        #expect(link.notes == ["drop", "close 1000"])
    }

    // MARK: Negotiation

    private func negotiate(
        over link: Link, on clock: TestClock = TestClock(),
        _ negotiate: @escaping @Sendable (SocketNegotiation) async throws -> Void
    ) async -> NetError? {
        do throws(NetError) {
            try await SocketNegotiation.perform(
                negotiate, over: WebSocketConnection(link), limit: .seconds(7), on: clock.netClock)
            return nil
        } catch {
            return error
        }
    }

    private struct Odd: Error {}

    @Test func aNegotiationThatSucceedsLeavesTheConnection() async {
        let link = Link()
        let error = await negotiate(over: link) { try await $0.send(.text("login")) }
        #expect(error == nil)
        #expect(link.notes.first == "send 1")
        #expect(!link.notes.contains("drop"))
    }

    @Test func aNegotiationThatFailsDropsTheConnection() async {
        for (thrown, code) in [
            (Odd(), .invalidRequest), (NetError(.authentication, phase: .receiving, message: "no"), .authentication),
        ] as [(any Error, NetError.Code)] {
            let link = Link()
            let error = await negotiate(over: link) { _ in throw thrown }
            #expect(error?.code == code)
            #expect(link.notes == ["drop"])
            if code == .invalidRequest { #expect(error?.underlying is Odd) }
        }
    }

    /// It may wait for a message although it was cancelled.
    @Test func droppingTheConnectionEndsWhatIsNotCancelled() async throws {
        for isCancelled in [false, true] {
            let (link, clock) = (Link(), TestClock())
            let task = Task { await negotiate(over: link, on: clock) { _ = try await $0.receive() } }
            try await clock.waitForSleepers(count: 1)
            if isCancelled {
                task.cancel()
                _ = await task.value
            } else {
                await clock.advance(by: .seconds(7))
                let error = await task.value
                #expect(error?.code == .timeout)
                #expect(error?.message.contains("negotiation") == true)
            }
            #expect(link.notes.contains("drop"))
        }
    }
}
