#if os(Linux)
import NetCore
import NetSocketCore
import Testing

@testable import NetSocket

/// The messages accepted for sending, while nothing can be written.
@Suite(.timeLimit(.minutes(1)))
struct SendBufferTests {
    private func outbox(limit: Int = 100) -> SendBuffer {
        var outbox = SendBuffer(limit: limit, random: .system, spare: SpareBlock())
        outbox.startAccepting(nil, DeflatePool())
        return outbox
    }

    /// Returns a message whose frame has the given number of bytes, six of which are its header.
    private func message(_ count: Int) -> WebSocketMessage {
        .binary(Bytes([UInt8](repeating: 7, count: count - 6)))
    }

    private func ping(_ outbox: inout SendBuffer) -> SendBuffer.AppendAction {
        outbox.appendPing(Bytes([UInt8](repeating: 1, count: 8)))
    }

    private func part(_ outbox: inout SendBuffer) -> SendBuffer.AppendAction {
        outbox.append(part: Bytes("a".utf8), of: .text, isFirst: true, isFinal: false, .automatic)
    }

    /// Lets the loop write; no task waits for that.
    private func flush(_ outbox: inout SendBuffer, becameWritable: Bool = false) {
        let released = outbox.flush(becameWritable: becameWritable)
        #expect(released.isEmpty)
    }

    @Test func nothingIsTakenBeforeItIsOpenAndAfterItsEnd() {
        var outbox = SendBuffer(limit: 100, random: .system, spare: SpareBlock())
        func refusesAll() {
            #expect(outbox.isAccepting == false)
            #expect(outbox.append(message(10), .automatic) == .ended)
            #expect(outbox.beginParts() == .ended)
            #expect(part(&outbox) == .ended)
            #expect(ping(&outbox) == .ended)
            let (count, action) = outbox.append([message(10)])
            #expect(count == 0)
            #expect(action == .ended)
            let takesProbe = outbox.appendProbe(message(10))
            #expect(!takesProbe)
            #expect(outbox.makeWaiter() == nil)
            outbox.appendPong(Bytes())
            #expect(outbox.isEmpty == true)
        }
        #expect(outbox.isOpen == false)
        #expect(outbox.isFull == false)
        refusesAll()
        outbox.startAccepting(nil, DeflatePool())
        #expect(outbox.isAccepting == true)
        outbox.stopAccepting()
        refusesAll()
        outbox.startAccepting(nil, DeflatePool())
        let isNew = outbox.requestClose(WebSocketClosure(code: .normalClosure))
        #expect(!isNew, "there is no connection to close")
        #expect(outbox.closeRequest == nil, "there is no connection to close")
        refusesAll()
        outbox.startAccepting(nil, DeflatePool())
        #expect(outbox.isAccepting == true)
        #expect(outbox.isAbandoned == false)
        outbox.abandon()
        #expect(outbox.isAbandoned == true)
        refusesAll()
        outbox.startAccepting(nil, DeflatePool())
        refusesAll()
    }

    @Test func theLoopIsWokenOnceUntilItHasWritten() {
        var outbox = outbox()
        #expect(outbox.append(message(10), .automatic) == .taken(signals: true))
        #expect(outbox.append(message(10), .automatic) == .taken(signals: false))
        #expect(ping(&outbox) == .taken(signals: false))
        flush(&outbox)
        #expect(ping(&outbox) == .taken(signals: true))
        flush(&outbox, becameWritable: true)
        #expect(ping(&outbox) == .taken(signals: false), "that it is writable takes nothing back")
    }

    @Test func itIsFullAtItsLimit() {
        var outbox = outbox(limit: 20)
        #expect(outbox.isEmpty == true)
        #expect(outbox.isFull == false)
        #expect(outbox.append(message(19), .automatic) == .taken(signals: true))
        #expect(outbox.isEmpty == false)
        #expect(outbox.isFull == false)
        #expect(outbox.makeWaiter() == nil)
        #expect(outbox.append(message(10), .automatic) == .taken(signals: false))
        #expect(outbox.isFull == true)
        #expect(outbox.append(message(10), .automatic) == .full)
        #expect(part(&outbox) == .full)
        let (count, action) = outbox.append([message(10)])
        #expect(count == 0)
        #expect(action == .full)
        #expect(ping(&outbox) == .taken(signals: false), "control frames are small")
        #expect(outbox.makeWaiter() != nil)
    }

    @Test func ofManyMessagesThoseAreTakenThatFit() {
        var outbox = outbox(limit: 25)
        let (count, action) = outbox.append([message(10), message(10), message(10), message(10)])
        #expect(count == 3)
        #expect(action == .taken(signals: true))
        #expect(outbox.isFull == true)
    }

    @Test func otherMessagesWaitForTheEndOfOneInParts() {
        var outbox = outbox()
        #expect(outbox.beginParts() == .taken(signals: false))
        #expect(outbox.beginParts() == .full)
        #expect(outbox.append(message(10), .automatic) == .full)
        let (count, action) = outbox.append([message(10)])
        #expect(count == 0)
        #expect(action == .full)
        let takesProbe = outbox.appendProbe(message(10))
        #expect(!takesProbe)
        #expect(outbox.makeWaiter() != nil)
        #expect(outbox.isEmpty == true)
        #expect(part(&outbox) == .taken(signals: true))
        #expect(part(&outbox) == .taken(signals: false))
        #expect(ping(&outbox) == .taken(signals: false))
        let released = outbox.endParts()
        #expect(released.isEmpty)
        #expect(outbox.makeWaiter() == nil)
        #expect(outbox.append(message(10), .automatic) == .taken(signals: false))
        let takesAnother = outbox.appendProbe(message(10))
        #expect(takesAnother)
    }

    /// The newest pong counts, and it waits until there is room.
    @Test func theAnswerToAPingTakesRoomOnlyIfThereIsSome() {
        var outbox = outbox(limit: 20)
        outbox.appendPong(Bytes([1]))
        #expect(outbox.isEmpty == false)
        #expect(outbox.isFull == false)
        _ = outbox.append(message(13), .automatic)
        #expect(outbox.isFull == true)
        outbox.appendPong(Bytes([2]))
        flush(&outbox)
        outbox.appendClose(WebSocketClosure(code: .normalClosure))
        #expect(outbox.isAccepting == false)
    }

    @Test func thoseWhoWaitGoOnOnceHalfOfItIsFreeOrItHasEnded() async {
        for (filled, released) in [(0, true), (10, true), (11, false), (20, false)] {
            var outbox = outbox(limit: 20)
            _ = outbox.beginParts()
            guard let waiter = outbox.makeWaiter() else {
                Issue.record("nobody waits")
                return
            }
            if filled > 0 {
                _ = outbox.append(
                    part: Bytes([UInt8](repeating: 7, count: filled - 6)), of: .binary, isFirst: true, isFinal: true,
                    .automatic)
            }
            #expect(await isReleased(waiter, by: &outbox) { $0.flush() } == released)
            outbox.stopAccepting()
            #expect(await isReleased(waiter, by: &outbox) { $0.flush() })
        }
    }

    @Test func theEndOfPartsAndOfTheConnectionReleaseThoseWhoWait() async {
        var parts = outbox()
        _ = parts.beginParts()
        if let waiter = parts.makeWaiter() { #expect(await isReleased(waiter, by: &parts) { $0.endParts() }) }
        var closed = outbox()
        _ = closed.beginParts()
        _ = closed.append(message(10), .automatic)
        guard let waiter = closed.makeWaiter() else {
            Issue.record("nobody waits")
            return
        }
        #expect(await isReleased(waiter, by: &closed) { $0.close() })
        #expect(closed.isEmpty == true)
        #expect(closed.isAccepting == false)
        #expect(closed.isOpen == false)
    }

    /// Returns true if a waiting task is among those that a change releases.
    private func isReleased(
        _ waiter: WaiterList<Void>.ID, by outbox: inout SendBuffer,
        _ change: (inout SendBuffer) -> [WaiterList<Void>.Waiter]
    ) async -> Bool {
        var isReleased = false
        await withUnsafeContinuation { continuation in
            let known = outbox.waiters.suspend(waiter, continuation, fallback: ())
            let released = change(&outbox)
            isReleased = released.count == 1 || known != nil
            if let first = released.first ?? known { first.resume() } else { continuation.resume() }
            outbox.waiters.forget(waiter)
        }
        return isReleased
    }
}
#endif
