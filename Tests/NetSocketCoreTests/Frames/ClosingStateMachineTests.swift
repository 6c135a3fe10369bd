import NetCore
import Testing

@testable import NetSocketCore

/// The transition table of ``ClosingStateMachine``, row by row.
struct ClosingStateMachineTests {
    private typealias Action = ClosingStateMachine.Action
    private let ours = WebSocketClosure(code: .goingAway, reason: "later", isByPeer: false)
    private let violation = WebSocketViolation(.invalidPayload, "a text message is not UTF-8")

    private func closing() -> ClosingStateMachine {
        var machine = ClosingStateMachine()
        _ = machine.closeRequested(ours)
        return machine
    }

    private func closed() -> ClosingStateMachine {
        var machine = ClosingStateMachine()
        _ = machine.receivedClose(.normalClosure, reason: "")
        return machine
    }

    private func gone() -> ClosingStateMachine {
        var machine = ClosingStateMachine()
        _ = machine.transportEnded("")
        return machine
    }

    @Test func anOpenConnectionAnswersEverything() {
        var machine = ClosingStateMachine()
        #expect(machine.takesMessages)
        #expect(machine.closeRequested(ours) == Action(closeFrame: ours))
        #expect(!machine.takesMessages)

        machine = ClosingStateMachine()
        #expect(
            machine.receivedClose(.serviceRestart, reason: "back soon")
                == Action(
                    closeFrame: WebSocketClosure(code: .serviceRestart),
                    ending: .closed(WebSocketClosure(code: .serviceRestart, reason: "back soon"))))

        machine = ClosingStateMachine()
        let closure = WebSocketClosure(code: .invalidPayload, reason: violation.message, isByPeer: false)
        #expect(machine.violated(violation) == Action(closeFrame: closure, ending: .violated(violation)))

        machine = ClosingStateMachine()
        #expect(machine.transportEnded("gone") == Action(ending: .lost("gone"), drops: true))
        machine = ClosingStateMachine()
        #expect(machine.deadlinePassed() == Action())
    }

    @Test func aClosingConnectionEndsAsWeAskedOnlyIfThePeerConfirms() {
        var machine = closing()
        #expect(machine.closeRequested(WebSocketClosure(code: .normalClosure)) == Action())
        #expect(machine.receivedClose(.normalClosure, reason: "") == Action(ending: .closed(ours)))
        for event in [
            { (machine: inout ClosingStateMachine) in machine.violated(violation) },
            { (machine: inout ClosingStateMachine) in machine.transportEnded("gone") },
            { (machine: inout ClosingStateMachine) in machine.deadlinePassed() },
        ] {
            machine = closing()
            #expect(event(&machine) == Action(ending: .unconfirmed(ours), drops: true))
        }
    }

    @Test func aClosedConnectionWaitsForTheServerToCloseTCP() {
        var machine = closed()
        #expect(!machine.takesMessages)
        #expect(machine.closeRequested(ours) == Action())
        #expect(machine.receivedClose(.goingAway, reason: "") == Action())
        #expect(machine.violated(violation) == Action())
        #expect(machine.transportEnded("gone") == Action(drops: true))
        machine = closed()
        #expect(machine.deadlinePassed() == Action(drops: true))
    }

    @Test func afterTheEndNothingHappens() {
        var machine = gone()
        #expect(machine.closeRequested(ours) == Action())
        #expect(machine.receivedClose(.goingAway, reason: "") == Action())
        #expect(machine.violated(violation) == Action())
        #expect(machine.transportEnded("again") == Action())
        #expect(machine.deadlinePassed() == Action())
    }
}
