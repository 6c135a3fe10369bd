import NetCore
import NetSocketCore
import NetTesting

/// A state machine of one WebSocket, with its effects as words.
struct MachineBench {
    var machine: SocketTaskStateMachine
    /// The current deadline; nil if there is none.
    private(set) var deadline: Duration?
    private var deadlineNumber = 0
    private var names: [SocketTaskStateMachine.Waiters.ID: String] = [:]
    private(set) var reports: [String] = []
    private(set) var question: (@Sendable () -> WebSocketMessage)?

    init(_ settings: SocketTaskStateMachine.Settings = .init()) {
        machine = SocketTaskStateMachine(settings, origin: SocketOrigin(TestClock().netClock), now: .zero)
    }

    /// Returns a machine whose WebSocket is open; its first `receive` is outstanding.
    static func opened(_ settings: SocketTaskStateMachine.Settings = .init()) -> MachineBench {
        var bench = MachineBench(settings)
        bench.name(bench.machine.begin(), "opener")
        bench.machine.didOpen(ResponseHead(status: .switchingProtocols), subprotocol: nil, now: .zero)
        _ = bench.effects()
        return bench
    }

    /// Returns the effects since the last call, without deadlines and reports, which are kept separately.
    mutating func effects() -> [String] {
        machine.takeActions().compactMap { action in
            switch action {
            case .start: return "start"
            case .receive: return "receive"
            case .send(let message): return "send \(message.text ?? "bytes")"
            case .sendPing(let number): return "ping \(number)"
            case .close(let closure): return "close \(closure)"
            case .cancel: return "cancel"
            case .ask(let make):
                question = make
                return "ask"
            case .setDeadline(let time, let number):
                (deadline, deadlineNumber) = (time, number)
                return nil
            case .resume(let id, let outcome): return "\(names[id] ?? "?"): \(Self.word(outcome))"
            case .report(let report):
                reports.append(Self.word(report))
                return nil
            }
        }
    }

    mutating func name(_ id: SocketTaskStateMachine.Waiters.ID, _ name: String) { names[id] = name }

    /// Fires the deadline.
    mutating func passDeadline(now: Duration = .zero) { machine.deadlinePassed(deadlineNumber, now: now) }

    /// The number of the current deadline.
    var currentDeadline: Int { deadlineNumber }

    /// Sends a text. Returns "taken", "waits" or the error's code.
    mutating func send(_ text: String, as name: String = "sender") -> String {
        word(machine.send(.text(text)), name)
    }

    mutating func ping(now: Duration = .zero, as name: String = "pinger") -> String {
        word(machine.ping(now: now), name)
    }

    private mutating func word(_ action: SocketTaskStateMachine.SendAction, _ name: String) -> String {
        switch action {
        case .taken: return "taken"
        case .wait(let id):
            names[id] = name
            return "waits"
        case .ended(let error): return "\(error.code)"
        }
    }

    /// Takes the received messages. Returns the texts, "waits", "busy" or the error's code with the closure.
    mutating func take(as name: String = "receiver") -> String {
        switch machine.take() {
        case .messages(let messages): return messages.map { $0.text ?? "bytes" }.joined(separator: " ")
        case .ended(let error): return Self.word(error)
        case .busy: return "busy"
        case .wait(let id):
            names[id] = name
            return "waits"
        }
    }

    mutating func arrive(_ texts: String..., at now: Duration = .zero) {
        for text in texts { machine.received(.text(text), now: now) }
    }

    /// Closes this end. Returns "waits", or "over" if there is nothing to wait for.
    mutating func close(_ code: WebSocketCloseCode = .normalClosure, as name: String = "closer") -> String {
        guard let id = machine.close(WebSocketClosure(code: code, isByPeer: false)) else { return "over" }
        names[id] = name
        return "waits"
    }

    static func word(_ error: NetError) -> String {
        guard let closure = error.closure else { return "\(error.code)" }
        return "\(error.code) \(closure) by \(closure.isByPeer ? "peer" : "us")"
    }

    private static func word(_ outcome: SocketTaskStateMachine.Outcome) -> String {
        switch outcome {
        case .opened(_, let subprotocol): "opened \(subprotocol ?? "plain")"
        case .refused(let head): "refused \(head.status.code)"
        case .done: "done"
        case .answered(let time): "answered \(time)"
        case .failed(let error): word(error)
        }
    }

    private static func word(_ report: SocketTaskStateMachine.Report) -> String {
        switch report {
        case .opened(let subprotocol): "opened \(subprotocol ?? "plain")"
        case .received(let message): "received \(message.text ?? "bytes")"
        case .roundTrip(let time): "round trip \(time)"
        case .closed(let error): "closed \(word(error))"
        }
    }
}

extension NetError {
    /// An error of a task.
    static func ofTask(_ code: NetError.Code = .connectionLost) -> NetError {
        NetError(code, phase: .receiving, message: "the connection broke")
    }
}
