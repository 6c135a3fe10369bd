import Foundation
import NetCore
import Synchronization
import Testing

@testable import NetSocket

/// The transition table of ``SessionStateMachine``.
struct SessionStateMachineTests {
    /// A link that goes nowhere.
    private final class DeadLink: WebSocketLink {
        let response = ResponseHead(status: .switchingProtocols)
        let subprotocol: String? = "chat"
        func send(_ message: WebSocketMessage) async throws(NetError) {}
        func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {}
        func receive() async throws(NetError) -> [WebSocketMessage] { [] }
        func ping() async throws(NetError) -> Duration { .zero }
        func close(_ closure: WebSocketClosure) async {}
    }

    private let connection = WebSocketConnection(DeadLink())
    private let lost = NetError(.connectionLost, phase: .receiving, message: "")

    private func fail(_ machine: inout SessionStateMachine, _ error: NetError? = nil, at now: Duration = .zero) {
        machine.failed(error ?? lost, now: now, date: Date(timeIntervalSince1970: 0), random: 1)
    }

    private func machine(_ policy: ReconnectPolicy = .constant(.seconds(5))) -> SessionStateMachine {
        SessionStateMachine(policy: policy)
    }

    private func open(_ policy: ReconnectPolicy = .constant(.seconds(5))) -> SessionStateMachine {
        var machine = machine(policy)
        _ = machine.next()
        _ = machine.connected(connection, now: .zero)
        _ = machine.next()
        return machine
    }

    private func name(_ step: SessionStateMachine.Step) -> String {
        switch step {
        case .emit(.connected(let subprotocol)): "emit connected \(subprotocol ?? "")"
        case .emit(.message): "emit message"
        case .emit(.disconnected(let error)): "emit \(error.code)"
        case .emit(.reconnecting(let attempt, let wait)): "emit attempt \(attempt) after \(wait)"
        case .connect: "connect"
        case .wait(let duration): "wait \(duration)"
        case .receive: "receive"
        case .end(let error): "end \(error.map { "\($0.code)" } ?? "well")"
        }
    }

    private func steps(_ machine: inout SessionStateMachine, _ count: Int) -> [String] {
        (0..<count).map { _ in name(machine.next()) }
    }

    @Test func itConnectsReceivesWaitsAndConnectsAgain() {
        var machine = machine()
        #expect(steps(&machine, 1) == ["connect"])
        let isTaken = machine.connected(connection, now: .zero)
        #expect(isTaken)
        #expect(machine.connection === connection)
        #expect(steps(&machine, 2) == ["emit connected chat", "receive"])
        fail(&machine)
        #expect(machine.connection == nil)
        #expect(
            steps(&machine, 3)
                == ["emit connectionLost", "emit attempt 1 after 5.0 seconds", "wait 5.0 seconds"])
        machine.waited()
        #expect(steps(&machine, 1) == ["connect"])
        fail(&machine)
        #expect(steps(&machine, 2).last == "emit attempt 2 after 5.0 seconds")
    }

    @Test func whatIsFinalEndsIt() {
        var machine = open(.never)
        fail(&machine)
        #expect(machine.hasEnded)
        #expect(steps(&machine, 3) == ["emit connectionLost", "end connectionLost", "end connectionLost"])
        let isTaken = machine.connected(connection, now: .zero)
        #expect(!isTaken)
        machine = open()
        fail(
            &machine,
            NetError(
                .webSocketClosed, phase: .receiving, message: "", closure: WebSocketClosure(code: .normalClosure)))
        #expect(steps(&machine, 2) == ["emit webSocketClosed", "end well"])
    }

    @Test func onlyAStablePeriodForgetsFailures() {
        for (stood, attempt) in [(Duration.seconds(9), 2), (.seconds(10), 1)] {
            var machine = machine()
            _ = machine.next()
            fail(&machine)
            _ = steps(&machine, 3)
            machine.waited()
            _ = machine.next()
            _ = machine.connected(connection, now: .seconds(100))
            _ = machine.next()
            fail(&machine, at: .seconds(100) + stood)
            #expect(steps(&machine, 2).last == "emit attempt \(attempt) after 5.0 seconds")
        }
    }

    @Test func reconnectingConnectsAtOnceFromEverywhere() {
        let cancelled = Mutex(0)
        let cancel: @Sendable () -> Void = { cancelled.withLock { $0 += 1 } }
        var machine = machine()
        let whenIdle = machine.reconnectRequested()
        #expect(whenIdle.0 == nil)
        _ = machine.next()
        let isUnwanted = machine.began(cancel: cancel)
        #expect(!isUnwanted)
        machine.reconnectRequested().1?()
        #expect(cancelled.withLock { $0 } == 1)
        let isTaken = machine.connected(connection, now: .zero)
        #expect(!isTaken)
        #expect(steps(&machine, 1) == ["connect"])

        machine = open()
        let whenOpen = machine.reconnectRequested()
        #expect(whenOpen.0 === connection)
        #expect(machine.connection == nil)
        #expect(steps(&machine, 1) == ["receive"])
        fail(&machine)
        #expect(steps(&machine, 2) == ["emit connectionLost", "connect"])
    }

    @Test func closingWinsEverywhere() {
        var machine = machine()
        _ = machine.closeRequested()
        #expect(steps(&machine, 1) == ["end well"])
        machine = open()
        let whenOpen = machine.closeRequested()
        #expect(whenOpen.0 === connection)
        fail(&machine)
        machine.waited()
        machine.interrupted()
        let afterTheEnd = machine.reconnectRequested()
        #expect(afterTheEnd.0 == nil)
        #expect(steps(&machine, 1) == ["end well"])
        let isUnwanted = machine.began {}
        #expect(isUnwanted)
    }
}
