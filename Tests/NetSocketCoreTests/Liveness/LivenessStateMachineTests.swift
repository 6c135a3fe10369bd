import NetCore
import NetSocketCore
import Testing

/// The times at which a silent peer is probed, and at which it counts as gone, in virtual time.
struct LivenessStateMachineTests {
    private let settings = WebSocketLiveness(silence: .seconds(10), grace: .seconds(3))

    @Test func aSilentPeerIsAskedAndThenGone() {
        var machine = LivenessStateMachine(settings, now: .seconds(100))
        #expect(machine.deadlinePassed(now: .seconds(110), isPaused: false) == .probe(.seconds(3)))
        #expect(machine.deadlinePassed(now: .seconds(112), isPaused: false) == .wait(.seconds(1)))
        #expect(machine.deadlinePassed(now: .seconds(113), isPaused: false) == .dead)
    }

    @Test func anyByteCountsAsASignOfLife() {
        var machine = LivenessStateMachine(settings, now: .zero)
        machine.byteArrived(now: .seconds(4))
        #expect(machine.deadlinePassed(now: .seconds(10), isPaused: false) == .wait(.seconds(4)))
        #expect(machine.deadlinePassed(now: .seconds(14), isPaused: false) == .probe(.seconds(3)))
        machine.byteArrived(now: .seconds(16))
        #expect(machine.deadlinePassed(now: .seconds(17), isPaused: false) == .wait(.seconds(9)))
        #expect(machine.deadlinePassed(now: .seconds(26), isPaused: false) == .probe(.seconds(3)))
    }

    @Test func anAnswerAtTheInstantOfTheQuestionCounts() {
        var machine = LivenessStateMachine(settings, now: .zero)
        #expect(machine.deadlinePassed(now: .seconds(10), isPaused: false) == .probe(.seconds(3)))
        machine.byteArrived(now: .seconds(10))
        #expect(machine.deadlinePassed(now: .seconds(13), isPaused: false) == .wait(.seconds(7)))
    }

    @Test func aPeerThatOnlySendsIsNeverAsked() {
        var machine = LivenessStateMachine(settings, now: .zero)
        for second in 1...1000 {
            machine.byteArrived(now: .seconds(second))
            let action = machine.deadlinePassed(now: .seconds(second), isPaused: false)
            #expect(action == .wait(.seconds(10)))
        }
    }

    @Test func aPauseOnThisSideIsNoSilence() {
        var machine = LivenessStateMachine(settings, now: .zero)
        for second in stride(from: 10, through: 1000, by: 10) {
            #expect(machine.deadlinePassed(now: .seconds(second), isPaused: true) == .wait(.seconds(10)))
        }
        #expect(machine.deadlinePassed(now: .seconds(1010), isPaused: false) == .probe(.seconds(3)))
        // Probed, and then paused: the response may be after the bytes that aren't read.
        #expect(machine.deadlinePassed(now: .seconds(1013), isPaused: true) == .wait(.seconds(10)))
    }

    @Test func aLongGraceDoesNotDelayTheNextQuestion() {
        let settings = WebSocketLiveness(silence: .seconds(1), grace: .seconds(60))
        var machine = LivenessStateMachine(settings, now: .zero)
        #expect(machine.deadlinePassed(now: .seconds(1), isPaused: false) == .probe(.seconds(1)))
        machine.byteArrived(now: .milliseconds(1100))
        #expect(machine.deadlinePassed(now: .seconds(2), isPaused: false) == .wait(.milliseconds(100)))
        #expect(machine.deadlinePassed(now: .milliseconds(2100), isPaused: false) == .probe(.seconds(1)))
        #expect(machine.deadlinePassed(now: .milliseconds(3100), isPaused: false) == .wait(.seconds(1)))
        #expect(machine.deadlinePassed(now: .milliseconds(62_100), isPaused: false) == .dead)
    }

    @Test func timesOfNothingAreAMillisecond() {
        let settings = WebSocketLiveness(silence: .zero, grace: .seconds(-1))
        #expect(settings.silence == .milliseconds(1))
        #expect(settings.grace == .milliseconds(1))
    }
}
