#if Server
import NetCore
import NetSocketCore
import Testing

@testable import NetSocketServer

/// Commands of a session whose connection has ended, tested with only the machine.
@Suite struct SessionWorkTests {
    private func begun() -> MachineRun {
        var run = MachineRun { $0.commandTimeout = .seconds(10) }
        let delivery = DeliveryMachine(SocketDelivery())
        run.change { machine, effects, now in
            machine.resumed(.init(), delivery, now: now, &effects) { _ in .serial }
        }
        return run
    }

    private func isCancelled(_ effects: [ConnectionMachine.Effect]) -> Bool {
        effects.contains { if case .cancel = $0 { true } else { false } }
    }

    @Test func `They go on, one after the other, each within its time`() {
        var run = begun()
        #expect(run.receive(MachineRun.request(1)).started == [1])
        #expect(run.receive(MachineRun.request(2)).started == [])
        #expect(!isCancelled(run.change { machine, effects, _ in machine.connectionEnded(&effects) }))
        #expect(run.end(1).started.count == 1)
        #expect(!isCancelled(run.tick(.seconds(9))))
        #expect(isCancelled(run.tick(.seconds(10))))
        #expect(run.machine.isIdle)
    }

    @Test func `Without a session, they are cancelled`() {
        var run = MachineRun()
        #expect(run.receive(MachineRun.request(1)).started == [1])
        #expect(isCancelled(run.change { machine, effects, _ in machine.connectionEnded(&effects) }))
        #expect(run.machine.isIdle)
    }

    @Test func `They are cancelled with the session`() {
        var run = begun()
        _ = run.receive(MachineRun.request(1))
        _ = run.change { machine, effects, _ in machine.connectionEnded(&effects) }
        #expect(isCancelled(run.change { machine, effects, _ in _ = machine.forgetSession(&effects) }))
    }

    @Test func `The next connection runs what waits once those before have ended`() {
        var (old, new) = (begun(), MachineRun())
        _ = old.receive(MachineRun.request(1))
        _ = old.receive(MachineRun.request(2))
        let session = old.machine.takeSession()
        #expect(session.isBusy)
        let delivery = DeliveryMachine(SocketDelivery())
        let resumed = new.change { machine, effects, now in
            machine.resumed(session, delivery, now: now, &effects) { _ in .serial }
        }
        #expect(resumed.started == [])
        #expect(new.receive(MachineRun.request(3)).started == [])
        #expect(old.end(1).contains(.passTurn))
        let turn = new.change { machine, effects, now in machine.turnCame(now, &effects) }
        #expect(turn.started.count == 1)
        #expect(new.end(turn.started.first ?? 0).started.count == 1)
    }
}

extension MachineRun {
    @discardableResult
    fileprivate mutating func change(
        _ body: (inout Machine, inout [Machine.Effect], Duration) -> Void
    ) -> [Machine.Effect] {
        var effects: [Machine.Effect] = []
        body(&machine, &effects, now)
        return effects
    }
}
#endif
