#if Server
import NetCore
@testable import NetSocketServer
import NetSocketCore
import Testing

/// The machine of a connection that authenticates again.
@Suite struct UserChangeMachineTests {
    private typealias Effect = ConnectionMachine.Effect

    /// Returns a machine that is in channels and checks credentials, and the ID of the check.
    private static func run(
        _ topics: String..., change: (inout ConnectionMachine.Settings) -> Void = { _ in }
    ) throws -> (MachineRun, ConnectionMachine.WorkID) {
        var run = MachineRun {
            $0.authentication = "authenticate"
            change(&$0)
        }
        for topic in topics { run.joined(topic) }
        let check = try #require(run.receive(MachineRun.request("a", "authenticate")).started.first)
        return (run, check)
    }

    private static let reply = WireSignal.reply(WireReply(id: "a", event: "authenticate", .success(nil)))

    @Test func `Signals wait for the check of credentials, in order`() throws {
        var (run, check) = try Self.run()
        #expect(run.receive(MachineRun.request(1)) == [])
        #expect(run.receive(MachineRun.join(2)) == [])
        #expect(run.receive(MachineRun.request("b", "authenticate")) == [])
        #expect(run.receive(MachineRun.join(3, "other")) == [])
        let effects = run.end(check)
        #expect(effects.sent == [Self.reply])
        // Up to the next credentials.
        #expect(effects.started.count == 3)
        #expect(run.machine.held.count == 1)
    }

    @Test func `A command that is running can be cancelled while credentials are checked`() throws {
        var run = MachineRun { $0.authentication = "authenticate" }
        _ = run.receive(MachineRun.request(1))
        _ = run.receive(MachineRun.request("a", "authenticate"))
        #expect(run.receive(.cancel(1)) == [.cancel(1)])
        #expect(run.receive(.cancel("a")) == [])
        #expect(run.end(2).sent == [Self.reply])
    }

    @Test func `Reading stops while too much waits for the check, and goes on after it`() throws {
        var (run, check) = try Self.run { $0.maximumCommands = 4 }
        var effects: [Effect] = []
        for _ in 1...4 { effects += run.receive(MachineRun.request(nil)) }
        #expect(effects == [.setReading(false)])
        effects = run.end(check)
        while let next = run.machine.running.first?.id { effects += run.end(next) }
        #expect(effects.contains(.setReading(true)))
    }

    @Test func `More than may wait for the check ends the connection`() throws {
        var (run, _) = try Self.run { $0.maximumCommands = 1 }
        for _ in 1...16 { #expect(run.receive(MachineRun.request(nil)).closed == nil) }
        #expect(run.receive(MachineRun.request(nil)).closed == 1008)
    }

    @Test func `The reply comes when all channels have decided`() throws {
        var (run, check) = try Self.run("a", "b")
        let asked = run.changeUser()
        #expect(asked.contains(.hold))
        try #require(asked.started.count == 2)
        #expect(run.end(check).sent == [])
        #expect(run.receive(MachineRun.request(1)) == [])
        #expect(run.end(asked.started[0]).sent == [])
        let refused = run.end(asked.started[1], .failed(SocketFailure("forbidden")))
        #expect(refused.sent == [.left(nil, topic: "b", SocketFailure("forbidden")), Self.reply])
        #expect(refused.contains(.discard("b")))
        #expect(refused.contains(.release))
        #expect(refused.started.count == 1)
        #expect(run.machine.topics == ["a"])
    }

    @Test func `A channel that doesn't decide in time is left`() throws {
        var (run, check) = try Self.run("a") { $0.commandTimeout = nil }
        let asked = run.changeUser()
        _ = run.end(check)
        #expect(run.tick(.seconds(9)).sent == [])
        let effects = run.tick(.seconds(10))
        #expect(effects.sent.count == 2)
        #expect(effects.contains(.cancel(asked.started[0])))
        #expect(effects.contains(.leave("a")))
        #expect(run.end(asked.started[0]) == [])
    }

    @Test func `A channel that is left meanwhile isn't left again`() throws {
        var (run, check) = try Self.run("a")
        let asked = run.changeUser()
        _ = run.end(check)
        var effects: [Effect] = []
        run.machine.expelled(from: "a", nil, &effects)
        #expect(effects == [.discard("a"), .leave("a"), .send(.left(nil, topic: "a", nil))])
        #expect(run.end(asked.started[0], .failed(SocketFailure("forbidden"))).sent == [Self.reply])
    }

    @Test(arguments: [true, false])
    func `The end of the connection leaves the channels that haven't decided`(isClosed: Bool) throws {
        var (run, check) = try Self.run("a", "b")
        let asked = run.changeUser()
        _ = run.end(check)
        _ = run.end(asked.started[0])
        var effects: [Effect] = []
        if isClosed { run.machine.close(.normalClosure, "", &effects) } else { run.machine.connectionEnded(&effects) }
        #expect(Array(effects.prefix(2)) == [.discard("b"), .leave("b")])
        #expect(!run.machine.isIdentifying)
    }

    @Test func `Work of the former user is refused, whatever it is`() throws {
        var run = MachineRun {
            $0.authentication = "authenticate"
            $0.requiresJoin = false
        }
        run.joined("a")
        _ = run.receive(MachineRun.request(1))
        _ = run.receive(MachineRun.request(2))
        _ = run.receive(.subscribe(3, SocketPayload(json: "{}")))
        _ = run.receive(MachineRun.join(4, "a"))
        _ = run.receive(MachineRun.request("a", "authenticate"))
        let effects = run.changeUser()
        let failure = ConnectionMachine.userChanged
        #expect(
            effects.sent == [
                .reply(WireReply(id: 1, event: "say", .failure(failure))), .completed(3, failure),
                .joinRefused(4, topic: "a", failure), .reply(WireReply(id: 2, event: "say", .failure(failure))),
            ])
        // A client whose join is refused counts as outside.
        #expect(effects.contains(.leave("a")))
        #expect(!effects.contains(.hold))
        #expect(run.machine.joiningTopics == ["a"])
    }
}

extension MachineRun {
    fileprivate mutating func changeUser() -> [Machine.Effect] {
        var effects: [Machine.Effect] = []
        machine.userChanged(now, refusing: [], &effects)
        return effects
    }
}
#endif
