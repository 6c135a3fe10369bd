#if os(Linux)
import NetCore
import Testing

@testable import NetSocket

/// The messages that wait to be received, and the limit at which reading stops.
@Suite(.timeLimit(.minutes(1)))
struct InboxTests {
    private static let lost = NetError(.connectionLost, phase: .receiving, message: "first")

    private func inbox(_ limit: Int = 1000, _ texts: [String] = []) -> Inbox {
        var inbox = Inbox(limit: limit)
        append(&inbox, texts)
        return inbox
    }

    private func append(_ inbox: inout Inbox, _ texts: [String]) {
        var batch = texts.map { WebSocketMessage.text($0) }
        let receiver = inbox.append(&batch, bytes: texts.reduce(0) { $0 + $1.utf8.count })
        #expect(receiver == nil)
        #expect(batch.isEmpty)
    }

    /// Returns the available texts, and whether reading continues; nil if there are none.
    private func taken(_ inbox: inout Inbox) -> (texts: [String?], resumes: Bool)? {
        guard case .messages(let messages, let resumes) = inbox.take() else { return nil }
        return (messages.map(\.text), resumes)
    }

    @Test func messagesAreTakenTogetherAndOnce() {
        var inbox = inbox(1000, ["a", "b"])
        append(&inbox, ["c"])
        append(&inbox, [])
        #expect(taken(&inbox)?.texts == ["a", "b", "c"])
        guard case .wait(signals: false) = inbox.take() else {
            Issue.record("there is more")
            return
        }
        append(&inbox, ["d"])
        #expect(taken(&inbox)?.texts == ["d"])
    }

    /// A message costs 64 bytes in addition to its own.
    @Test(arguments: [
        (65, [1], true), (66, [1], false), (64, [0], true), (65, [0], false), (138, [3, 7], true),
        (139, [3, 7], false),
    ])
    func readingStopsAtTheLimit(limit: Int, sizes: [Int], pauses: Bool) {
        var inbox = inbox(limit, sizes.map { String(repeating: "x", count: $0) })
        #expect(inbox.pausesReading() == pauses)
        #expect(inbox.isReadingPaused == pauses)
        #expect(taken(&inbox)?.resumes == pauses)
        #expect(!inbox.isReadingPaused)
        #expect(inbox.pausesReading() == false)
    }

    @Test(arguments: [(100, 2, true), (101, 2, false), (200, 1, true), (201, 1, false)])
    func moreMayBeTakenWhileAPongIsAwaited(limit: Int, factor: Int, pauses: Bool) {
        var inbox = inbox(limit, [String(repeating: "x", count: 136)])
        #expect(inbox.pausesReading(beyond: factor) == pauses)
    }

    @Test func takenMessagesDoNotCountTowardTheInboxLimit() {
        var inbox = inbox(130, ["x"])
        _ = inbox.take()
        append(&inbox, ["x"])
        #expect(inbox.pausesReading() == false)
        append(&inbox, ["x"])
        #expect(inbox.pausesReading() == true)
        var small = self.inbox(66, ["x"])
        #expect(!small.isReadingPaused)
        _ = small.take()
        append(&small, ["x"])
        #expect(small.pausesReading() == false)
    }

    @Test func afterTheEndNothingIsAddedAndWhatWasThereComesFirst() {
        var inbox = inbox(1, ["a"])
        #expect(inbox.pausesReading() == true)
        #expect(inbox.end(Self.lost) == nil)
        #expect(inbox.end(NetError(.timeout, phase: .receiving, message: "second")) == nil)
        #expect(inbox.ending?.code == .connectionLost)
        #expect(inbox.pausesReading() == false)
        append(&inbox, ["late"])
        #expect(taken(&inbox)?.texts == ["a"])
        guard case .ended(let error) = inbox.take() else {
            Issue.record("not ended")
            return
        }
        #expect(error.code == .connectionLost)
    }

    /// An end is held back until the consumer of the messages requests more: it may respond to them first.
    @Test func anEndIsHeldWhileThereIsSomethingToAnswer() {
        var empty = inbox()
        #expect(empty.holdsEnd() == false)
        var inbox = inbox(1000, ["a"])
        #expect(inbox.holdsEnd() == true)
        _ = inbox.take()
        #expect(inbox.holdsEnd() == true, "it is answering")
        guard case .wait(signals: true) = inbox.take() else {
            Issue.record("the loop isn't woken")
            return
        }
        #expect(inbox.holdsEnd() == false)
        guard case .wait(signals: false) = inbox.take() else {
            Issue.record("the loop is woken again")
            return
        }
    }

    @Test func aReceiverIsResumedByTheFirstThatComes() async {
        for cause in ["message", "end", "cancellation"] {
            var inbox = inbox()
            await withUnsafeContinuation { continuation in
                #expect(!inbox.hasReceiver)
                #expect(inbox.wait(continuation) == true)
                #expect(inbox.hasReceiver)
                #expect(inbox.wait(continuation) == false, "one waits already")
                var batch = [WebSocketMessage.text("a")]
                let resumed =
                    switch cause {
                    case "message": inbox.append(&batch, bytes: 1)
                    case "end": inbox.end(Self.lost)
                    default: inbox.cancelReceiver()
                    }
                #expect(resumed != nil, "\(cause)")
                #expect(!inbox.hasReceiver, "\(cause)")
                #expect(inbox.cancelReceiver() == nil, "\(cause)")
                #expect(inbox.wait(continuation) == (cause == "cancellation"))
                continuation.resume()
            }
        }
    }
}
#endif
