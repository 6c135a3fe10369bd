#if Server
import NetCore
@testable import NetSocketServer
import NetSocketCore
import Testing

/// The state that a client can make its connection's machine keep.
@Suite struct MachineBoundsTests {
    typealias Effect = ConnectionMachine.Effect

    private static func large(_ id: UInt64, _ bytes: Int, event: String = "say") -> WireSignal {
        .request(
            WireRequest(
                id: .number(id), event: event, payload: SocketPayload(json: String(repeating: "x", count: bytes))))
    }

    @Test func `Handlers that were cancelled count until they return`() {
        var run = MachineRun { $0.maximumCommands = 8 }
        run.concurrent = ["say"]
        var effects: [Effect] = []
        for id in UInt64(1)...8 {
            effects += run.receive(MachineRun.request(.number(id)))
            effects += run.receive(.cancel(.number(id)))
        }
        #expect(effects.contains(.setReading(false)))
        #expect(run.machine.running.isEmpty)
        #expect(run.machine.abandoned.count == 8)
        effects = (1...4).flatMap { run.end($0) }
        #expect(effects == [.setReading(true)])
    }

    @Test func `Handlers that ignore their time count until they return`() {
        var run = MachineRun {
            $0.maximumCommands = 4
            $0.commandTimeout = .seconds(1)
        }
        run.concurrent = ["say"]
        for id in UInt64(1)...3 { _ = run.receive(MachineRun.request(.number(id))) }
        _ = run.tick(.seconds(2))
        #expect(run.receive(MachineRun.request(4)).contains(.setReading(false)))
        _ = run.end(1)
        #expect(run.end(2).contains(.setReading(true)))
    }

    @Test func `Cancelling what runs starts what waits`() {
        var run = MachineRun()
        _ = run.receive(MachineRun.request(1))
        #expect(run.receive(MachineRun.request(2)).started == [])
        #expect(run.receive(.cancel(1)).started == [2])
    }

    @Test func `Cancelling the last command ends a draining`() {
        var run = MachineRun()
        _ = run.receive(MachineRun.request(1))
        var effects: [Effect] = []
        run.machine.drain(&effects)
        #expect(run.receive(.cancel(1)).contains(.drained))
    }

    @Test func `Leaving a channel releases the commands that waited for its join`() {
        var run = MachineRun()
        _ = run.receive(MachineRun.join(1))
        _ = run.receive(MachineRun.request(2, topic: "room"))
        let sent = run.receive(.leave(3, topic: "room")).sent
        #expect(sent.count == 2)
    }

    @Test func `Reading stops at two large commands, and not at one`() {
        var run = MachineRun { $0.maximumCommandBytes = 150 }
        #expect(!run.receive(Self.large(1, 100)).contains(.setReading(false)))
        #expect(run.receive(Self.large(2, 100)).contains(.setReading(false)))
        #expect(!run.end(1).contains(.setReading(true)))
        #expect(run.end(2).contains(.setReading(true)))
    }

    @Test func `Of a message with any number of commands, so many wait and the rest is refused`() {
        var run = MachineRun { $0.maximumCommands = 4 }
        var effects: [Effect] = []
        for id in UInt64(1)...1000 { effects += run.receive(MachineRun.request(.number(id))) }
        #expect(run.machine.waiting.count == 64)
        #expect(effects.sent.count == 1000 - 65)
        guard case .reply(let reply)? = effects.sent.last, case .failure(let failure) = reply.outcome else {
            Issue.record("no refusal")
            return
        }
        #expect(failure.code == "too_many_commands")
    }

    @Test func `Subscriptions don't stop the reading, and are refused beyond their number and size`() {
        var run = MachineRun {
            $0.maximumCommands = 4
            $0.maximumSubscriptions = 10
            $0.maximumCommandBytes = 1000
        }
        var effects: [Effect] = []
        for id in UInt64(1)...12 { effects += run.receive(.subscribe(.number(id), SocketPayload(json: "{}"))) }
        #expect(!effects.contains(.setReading(false)))
        #expect(effects.started.count == 10)
        #expect(
            effects.sent.count {
                if case .completed(_, let failure?) = $0 { failure.code == "too_many_subscriptions" } else { false }
            } == 2)
        effects = run.receive(.unsubscribe(1)) + run.end(1)
        #expect(run.receive(.subscribe(20, SocketPayload(json: String(repeating: "x", count: 2000)))).started == [])
        #expect(run.receive(.subscribe(20, SocketPayload(json: "{}"))).started.count == 1)
    }

    @Test func `Credentials, joins and cancelled subscriptions without end stop the reading`() {
        for signals: (UInt64) -> [WireSignal] in [
            { [MachineRun.request(.number($0), "authenticate")] }, { [MachineRun.join(.number($0), "t\($0)")] },
            { [.subscribe(.number($0), SocketPayload(json: "{}")), .unsubscribe(.number($0))] },
            { [MachineRun.join(.number($0), "same")] },
            { [MachineRun.join(.number($0), "same"), .leave(.number($0), topic: "same")] },
        ] {
            var run = MachineRun {
                $0.authentication = "authenticate"
                $0.maximumCommands = 8
            }
            var effects: [Effect] = []
            for id in UInt64(1)...8 { for signal in signals(id) { effects += run.receive(signal) } }
            #expect(effects.contains(.setReading(false)))
        }
    }

    @Test func `Signals held before a connection opens count with their whole size`() {
        let text = String(repeating: "x", count: 500)
        let payload = SocketPayload(json: text)
        let signals: [WireSignal] = [
            .join(WireJoin(id: 1, topic: text)), .join(WireJoin(id: 1, topic: "", payload: payload)),
            .subscribe(1, payload), .leave(1, topic: text), .numbered(1, .request(WireRequest(event: text))),
            .request(WireRequest(id: .text(text), event: "")), .cancel(.text(text)), .resume(WireResume(session: text)),
        ]
        for signal in signals {
            var run = MachineRun {
                $0.awaitsAuthentication = true
                $0.authentication = "authenticate"
                $0.maximumHeldBytes = 900
            }
            #expect(run.receive(signal).closed == nil)
            #expect(run.receive(signal).closed == 1008, "\(signal)")
        }
    }

    @Test func `Names beyond a kilobyte are refused`() {
        var run = MachineRun()
        let name = String(repeating: "x", count: 1025)
        #expect(
            run.receive(MachineRun.join(1, name)).sent == [
                .joinRefused(1, topic: name, SocketFailure("invalid_channel", "the name of the channel is too long"))
            ])
        #expect(run.receive(.resume(WireResume(session: name))).closed == 1008)
    }

    @Test func `A later join that is refused takes the connection out of a channel that an earlier one has entered`() {
        var run = MachineRun()
        _ = run.receive(MachineRun.join(1))
        _ = run.receive(MachineRun.join(2))
        #expect(run.end(1, .joined(WireJoined(id: 1, topic: "room"))) == [])
        #expect(run.end(2, .failed(SocketFailure("forbidden"))).contains(.leave("room")))
    }
}
#endif
