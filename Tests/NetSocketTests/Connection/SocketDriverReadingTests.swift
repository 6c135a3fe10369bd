#if os(Linux)
import NetCore
import NetCurl
import NetSocketCore
import NetTesting
import Synchronization
import Testing

@testable import NetSocket

/// Reading and its limits; pings, pongs and the detection of a silent peer.
@Suite(.timeLimit(.minutes(1)))
struct SocketDriverReadingTests {
    private func socket(inbox: Int = 1 << 20, _ change: (inout WebSocketRequest) -> Void = { _ in }) async throws
        -> DrivenSocket
    {
        var request = WebSocketRequest(url: "ws://a.test/")
        request.liveness = nil
        change(&request)
        let socket = try await DrivenSocket(request, inbox: inbox)
        socket.open()
        return socket
    }

    @Test func readingStopsAtTheLimitAndGoesOnOnceAllIsTaken() async throws {
        let socket = try await socket(inbox: 130)
        socket.arrives(.text("1"))
        socket.arrives(.text("2"))
        socket.arrives(.text("3"))
        guard case .messages(let messages, resumesReading: true) = socket.driver.inbox.withLock({ $0.take() }) else {
            Issue.record("reading didn't stop")
            return
        }
        #expect(messages == [.text("1"), .text("2")])
        socket.signal()
        #expect(socket.texts == ["3"])
    }

    /// The pong may be after the messages.
    @Test func twiceAsMuchIsReadWhileAPongIsAwaited() async throws {
        let socket = try await socket(inbox: 65)
        let ping = socket.driver.pings.withLock { $0.begin(now: .zero) }
        for text in ["1", "2", "3"] { socket.arrives(.text(text)) }
        #expect(socket.texts == ["1", "2"])
        socket.driver.pings.withLock { $0.end(ping) }
        socket.signal()
        socket.arrives(.text("4"))
        #expect(socket.texts == ["3"], "no pong is awaited")
    }

    @Test func theLastByteIsNoted() async throws {
        let socket = try await socket()
        socket.pass(.seconds(3))
        socket.arrives([0x81])
        #expect(socket.driver.lastByte.load(ordering: .relaxed) == socket.now.inNanoseconds)
    }

    @Test(arguments: [(-5, 0), (0, 0), (3, 3)]) func theSizeOfMessagesIsLimited(maximum: Int, largest: Int) async throws
    {
        let socket = try await socket { $0.maximumMessageBytes = maximum }
        socket.arrives(.text(String(repeating: "x", count: largest)))
        #expect(socket.texts.map(\.utf8.count) == [largest])
        socket.arrives(.text(String(repeating: "x", count: largest + 1)))
        #expect(socket.take() == nil)
        socket.signal()
        #expect(socket.end?.code == .bodyTooLarge)
        #expect(socket.frames().last?.closeCode == 1009)
    }

    // MARK: Pings

    @Test func pingsAreAnsweredAtOnce() async throws {
        let socket = try await socket()
        socket.arrives(TestFrame.ping("a").bytes + TestFrame.text("b").bytes + TestFrame.ping("").bytes)
        let frames = socket.frames()
        #expect(frames.map(\.opcode) == [10, 10])
        #expect(frames.map(\.text) == ["a", ""])
        #expect(socket.texts == ["b"])
    }

    /// Messages of this side are written by the tasks that send them.
    @Test func messagesAloneAreAnsweredByNothing() async throws {
        let socket = try await socket()
        socket.driver.outbox.withLock { outbox in
            let takesProbe = outbox.appendProbe(.text("not written yet"))
            #expect(takesProbe)
        }
        socket.arrives(.text("a"))
        #expect(socket.frames().isEmpty)
        socket.arrives(.ping("a"))
        #expect(socket.frames().map(\.opcode) == [1, 10])
    }

    @Test func aPongResumesItsPing() async throws {
        let socket = try await socket()
        let pings = (0..<2).map { _ in socket.driver.pings.withLock { $0.begin(now: .zero) } }
        socket.arrives(.pong(Array("1".utf8)))
        #expect(socket.driver.pings.withLock { $0.areAwaited })
        socket.arrives(.pong(Array("2".utf8)))
        #expect(!socket.driver.pings.withLock { $0.areAwaited })
        for ping in pings { socket.driver.pings.withLock { $0.end(ping) } }
    }

    // MARK: Liveness

    private static let liveness = WebSocketLiveness(silence: .seconds(10), grace: .seconds(4))

    @Test func aSilentPeerIsAskedAndThenGone() async throws {
        let socket = try await socket { $0.liveness = Self.liveness }
        #expect(socket.deadline == .seconds(10))
        socket.pass(.seconds(7))
        socket.arrives(.text("a"))
        socket.pass(.seconds(3))
        #expect(socket.deadline == .seconds(7))
        #expect(socket.frames().isEmpty)
        #expect(socket.texts == ["a"])
        socket.pass(.seconds(7))
        #expect(socket.frames().map(\.opcode) == [9])
        #expect(socket.deadline == .seconds(4))
        #expect(socket.driver.pings.withLock { $0.areAwaited })
        socket.arrives(.pong(Array("1".utf8)))
        socket.pass(.seconds(4))
        #expect(socket.frames().isEmpty)
        #expect(socket.deadline == .seconds(6))
        socket.pass(.seconds(6))
        #expect(socket.frames().map(\.payload) == [Array("2".utf8)])
        socket.pass(.seconds(4))
        #expect(socket.stream.isClosed)
        #expect(socket.frames().isEmpty)
        let error = socket.end
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains("silent for 10.000 s") == true)
    }

    @Test func aMessageTakesThePlaceOfThePingUnlessPartsAreInItsWay() async throws {
        let socket = try await socket {
            $0.liveness = Self.liveness
            $0.liveness?.probe = .message { .text("there?") }
        }
        socket.pass(.seconds(10))
        #expect(socket.frames().map(\.text) == ["there?"])
        #expect(!socket.driver.pings.withLock { $0.areAwaited })
        socket.arrives(.text("yes"))
        socket.pass(.seconds(4))
        _ = socket.driver.outbox.withLock { $0.beginParts() }
        socket.pass(.seconds(6))
        #expect(socket.frames().map(\.opcode) == [9])
    }

    @Test func pausedReadingIsNotTreatedAsPeerSilence() async throws {
        let socket = try await socket(inbox: 65) { $0.liveness = Self.liveness }
        socket.arrives(.text("1"))
        socket.arrives(.text("2"))
        for _ in 0..<3 {
            socket.pass(.seconds(10))
            #expect(socket.deadline == .seconds(10))
            #expect(socket.frames().isEmpty)
            #expect(!socket.stream.isClosed)
        }
    }

    @Test func withoutLivenessThereIsNoDeadline() async throws {
        let socket = try await socket()
        #expect(socket.deadline == nil)
        socket.stream.setDeadline(after: .seconds(1))
        socket.pass(.seconds(1))
        #expect(!socket.stream.isClosed)
        #expect(socket.frames().isEmpty)
    }
}
#endif
