import HTTPTypes
import NetCore
import Testing

@Suite struct URLSessionStateMachineTests {
    private let head = ResponseHead(status: .ok)
    private let late = NetError(.timeout, phase: .waiting, message: "late")

    private func machine(
        _ delivery: BodyDelivery = .streamed, _ timeouts: Timeouts = Timeouts(), deadline: Duration? = nil
    ) -> URLSessionStateMachine {
        URLSessionStateMachine(delivery: delivery, timeouts: timeouts, deadline: deadline, highMark: 100, now: .zero)
    }

    private func bytes(_ count: Int) -> Bytes { Bytes(repeatElement(7, count: count)) }

    @Test func aHeadIsReachedOnceItCameOrTheEndDid() {
        var machine = machine()
        #expect(!machine.isReached(.head))
        machine.responded(head, now: .zero)
        #expect(machine.isReached(.head))
        #expect(!machine.isReached(.chunk))
        #expect(!machine.isReached(.end))
        var failed = self.machine()
        failed.finished(late)
        #expect(failed.isReached(.head))
        #expect(failed.isReached(.end))
        #expect(failed.head == nil)
        #expect(failed.error?.code == .timeout)
    }

    @Test func aSlowReaderSuspendsTheTaskOnceAndResumesItAtHalf() {
        var machine = machine()
        machine.responded(head, now: .zero)
        #expect(machine.received(bytes(60), now: .zero) == .goOn)
        #expect(machine.received(bytes(60), now: .zero) == .suspend)
        #expect(machine.received(bytes(60), now: .zero) == .goOn)
        var resumes: [Bool] = []
        while case .chunk(_, let resumesTask) = machine.take(now: .zero) { resumes.append(resumesTask) }
        #expect(resumes == [false, false, true])
        #expect(machine.received(bytes(100), now: .zero) == .suspend)
    }

    @Test func aCollectedBodyIsNeverSuspendedButKeepsItsLimit() {
        var machine = machine(.collected(upTo: 250))
        machine.responded(head, now: .zero)
        #expect(machine.received(bytes(200), now: .zero) == .goOn)
        #expect(machine.received(bytes(50), now: .zero) == .goOn)
        #expect(machine.takeAll().count == 250)
        #expect(machine.received(bytes(1), now: .zero) == .tooLarge(250))
    }

    @Test func theFirstEndStaysAndBytesBeforeItStayReadable() {
        var machine = machine()
        machine.responded(head, now: .zero)
        _ = machine.received(bytes(3), now: .zero)
        machine.finished(late)
        machine.finished(nil)
        #expect(machine.received(bytes(3), now: .zero) == .goOn)
        guard case .chunk(let chunk, _) = machine.take(now: .zero), case .end(let error) = machine.take(now: .zero)
        else {
            Issue.record("one chunk, then the end")
            return
        }
        #expect(chunk.count == 3)
        #expect(error?.code == .timeout)
    }

    @Test func bytesBeforeTheHeadAreIgnored() {
        var machine = machine()
        #expect(machine.received(bytes(500), now: .zero) == .goOn)
        #expect(machine.received == 0)
    }

    @Test func silenceIsMeasuredFromTheLastSignOfLife() {
        var machine = machine(.streamed, Timeouts(firstByte: .seconds(10), stall: .seconds(5)))
        #expect(machine.check(now: .seconds(9)) == .again(after: .seconds(1)))
        machine.moved(isStarved: nil, now: .seconds(9))
        #expect(machine.check(now: .seconds(10)) == .again(after: .seconds(5)))
        #expect(machine.check(now: .seconds(19)) == .late(.firstByte(.seconds(10))))
        machine.responded(head, now: .seconds(20))
        #expect(machine.check(now: .seconds(24)) == .again(after: .seconds(1)))
        #expect(machine.check(now: .seconds(25)) == .late(.stall(.seconds(5))))
        machine.finished(nil)
        #expect(machine.check(now: .seconds(100)) == .nothing)
    }

    /// A check that was scheduled before the head arrived must not miss the shorter stall limit.
    @Test func theNextLookIsNeverFurtherThanTheShortestLimit() {
        let machine = machine(.streamed, Timeouts(firstByte: .seconds(30), stall: .milliseconds(300)))
        #expect(machine.check(now: .zero) == .again(after: .milliseconds(300)))
    }

    @Test func aProducerOrReaderThatIsSlowIsNoSilentServer() {
        var machine = machine(.streamed, Timeouts(firstByte: .seconds(1), stall: .seconds(1)))
        machine.moved(isStarved: true, now: .zero)
        #expect(machine.check(now: .seconds(100)) == .again(after: .seconds(1)))
        machine.moved(isStarved: false, now: .seconds(100))
        #expect(machine.check(now: .seconds(101)) == .late(.firstByte(.seconds(1))))
        machine.responded(head, now: .seconds(101))
        _ = machine.received(bytes(100), now: .seconds(101))
        #expect(machine.check(now: .seconds(200)) == .again(after: .seconds(1)))
        _ = machine.take(now: .seconds(200))
        #expect(machine.check(now: .seconds(201)) == .late(.stall(.seconds(1))))
    }

    @Test func aBodyThatDoesNotLeaveMeetsTheStallLimit() {
        var machine = URLSessionStateMachine(
            delivery: .streamed, timeouts: Timeouts(firstByte: .seconds(9), stall: .seconds(2)), deadline: nil,
            highMark: 100, isSending: true, now: .zero)
        #expect(machine.check(now: .seconds(2)) == .late(.sending(.seconds(2))))
        machine.sentAll(now: .seconds(2))
        #expect(machine.check(now: .seconds(4)) == .again(after: .seconds(2)))
        #expect(machine.check(now: .seconds(11)) == .late(.firstByte(.seconds(9))))
    }

    @Test func theTotalCountsWhateverElseHappens() {
        let unlimited = Timeouts(firstByte: nil, stall: nil, total: .seconds(7))
        var machine = machine(.streamed, unlimited, deadline: .seconds(7))
        #expect(machine.check(now: .seconds(1)) == .again(after: .seconds(6)))
        machine.moved(isStarved: true, now: .seconds(6))
        #expect(machine.check(now: .seconds(7)) == .late(.total))
        #expect(self.machine(.streamed, Timeouts(firstByte: nil, stall: nil)).check(now: .seconds(9)) == .nothing)
    }
}
