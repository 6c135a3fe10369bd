#if os(Linux)
import NetCore
import NetCurl
import NetSocketCore
import NetTesting
import Synchronization
import Testing

@testable import NetSocket

/// The times at which bytes are written: immediately by the sending task, or by the loop.
@Suite(.timeLimit(.minutes(1)))
struct OutboxWritingTests {
    private func socket(sendBuffer: Int = 1 << 20) async throws -> DrivenSocket {
        let socket = try await DrivenSocket(sendBuffer: sendBuffer)
        socket.open()
        return socket
    }

    private func flush(_ socket: DrivenSocket, becameWritable: Bool = false) {
        socket.driver.flush(socket.stream, becameWritable: becameWritable)
    }

    @Test func aReplyIsWrittenAtOnce() async throws {
        let socket = try await socket()
        for number in 0..<20 {
            socket.arrives(.text("question"))
            #expect(socket.texts == ["question"])
            #expect(socket.say("\(number)") == false)
            #expect(socket.frames().map(\.text) == ["\(number)"])
        }
    }

    /// The next one is written immediately only after a pause, which can happen on a busy machine.
    @Test func laterMessagesAreWrittenByTheEventLoop() async throws {
        let socket = try await socket()
        var isLeft = false
        for _ in 0..<1000 where !isLeft {
            // The first one is written immediately, whether or not it follows a pause.
            socket.driver.outbox.withLock { $0.grantReplyCredit() }
            _ = (socket.say("1"), socket.sent())
            isLeft = socket.say("2") == true
            #expect(socket.sent().isEmpty == isLeft)
            if isLeft {
                #expect(socket.say("3") == false, "it is woken already")
                #expect(socket.sent().isEmpty)
            }
            flush(socket)
            if isLeft { #expect(socket.frames().map(\.text) == ["2", "3"]) }
        }
        #expect(isLeft)
    }

    @Test func muchIsWrittenAtOnce() async throws {
        let socket = try await socket()
        socket.say("1")
        _ = socket.sent()
        let text = String(repeating: "x", count: 16 << 10)
        for _ in 0..<5 {
            #expect(socket.say(text) == false)
            #expect(socket.frames().map(\.payload.count) == [16 << 10])
        }
    }

    @Test func nothingIsWrittenWhileTheKernelHasNoRoom() async throws {
        let socket = try await socket(sendBuffer: 16 << 20)
        let text = String(repeating: "x", count: 600_000)
        #expect(socket.say(text) == false)
        var sent = socket.sent()
        #expect(sent.count < 600_000)
        socket.driver.outbox.withLock { $0.grantReplyCredit() }
        #expect(socket.say("next") == false)
        #expect(socket.sent().isEmpty)
        flush(socket)
        #expect(socket.sent().isEmpty, "it isn't writable yet")
        for _ in 0..<1000 where sent.count < 600_000 {
            flush(socket, becameWritable: true)
            sent += socket.sent()
        }
        flush(socket, becameWritable: true)
        sent += socket.sent()
        let frames = TestFrame.parse(sent)
        #expect(frames.map(\.payload.count) == [600_000, 4])
        #expect(frames.last?.text == "next")
        #expect(socket.driver.outbox.withLock { $0.isEmpty })
    }

    /// The newest one counts.
    @Test func anAnswerToAPingWaitsForRoom() async throws {
        let socket = try await socket(sendBuffer: 1000)
        let text = String(repeating: "x", count: 600_000)
        socket.say(text)
        #expect(socket.driver.outbox.withLock { $0.isFull })
        for ping in ["1", "2", "3"] { socket.arrives(.ping(ping)) }
        var sent = socket.sent()
        for _ in 0..<1000 where sent.count < 600_000 {
            flush(socket, becameWritable: true)
            sent += socket.sent()
        }
        let frames = TestFrame.parse(sent)
        #expect(frames.map(\.opcode) == [1, 10])
        #expect(frames.last?.text == "3")
        flush(socket, becameWritable: true)
        #expect(socket.sent().isEmpty)
    }

    @Test func everythingOfAMessageInPartsIsWritten() async throws {
        let socket = try await socket()
        _ = socket.driver.outbox.withLock { $0.beginParts() }
        for (text, isFirst, isFinal) in [("a", true, false), ("b", false, false), ("", false, true)] {
            socket.driver.outbox.withLock { $0.grantReplyCredit() }
            let action = socket.driver.outbox.withLock {
                $0.append(part: Bytes(text.utf8), of: .text, isFirst: isFirst, isFinal: isFinal, .automatic)
            }
            #expect(action == .taken(signals: false))
        }
        let released = socket.driver.outbox.withLock { $0.endParts().count }
        #expect(released == 0)
        let frames = socket.frames()
        #expect(frames.map(\.opcode) == [1, 0, 0])
        #expect(frames.map(\.text) == ["a", "b", ""])
        #expect(frames.map(\.isFinal) == [false, false, true])
    }

    @Test func severalMessagesAndPingsAreWrittenInOrder() async throws {
        let socket = try await socket()
        let (count, _) = socket.driver.outbox.withLock { $0.append([.text("1"), .text("2")]) }
        #expect(count == 2)
        _ = socket.driver.outbox.withLock { $0.appendPing(Bytes("7".utf8)) }
        flush(socket)
        let frames = socket.frames()
        #expect(frames.map(\.opcode) == [1, 1, 9])
        #expect(frames.last?.payload == Array("7".utf8))
    }

    @Test func closingIsAskedForOnce() async throws {
        let socket = try await socket()
        let (first, second) = (WebSocketClosure(code: .goingAway), WebSocketClosure(code: .normalClosure))
        #expect(socket.driver.outbox.withLock { $0.requestClose(first) })
        #expect(!socket.driver.outbox.withLock { $0.requestClose(second) })
        #expect(socket.driver.outbox.withLock { $0.closeRequest?.code } == .goingAway)
        #expect(socket.say("late") == nil)
    }

    @Test func afterTheEndNothingIsWritten() async throws {
        let socket = try await socket()
        #expect(socket.driver.outbox.withLock { $0.isOpen })
        socket.stream.close()
        #expect(!socket.driver.outbox.withLock { $0.isOpen })
        #expect(socket.say("late") == nil)
        flush(socket)
        #expect(socket.sent().isEmpty)
    }
}
#endif
