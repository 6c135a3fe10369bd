internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension SocketPeer {
    /// Serves one connection to its end.
    func serve(_ socket: any WebSocketPeer) async throws {
        let (index, greeting) = state.withLock { state in
            var machine = wire.makeMachine(.server)
            machine.agree(on: socket.subprotocol)
            let greeting = machine.greet(as: "connection-\(state.connections.count + 1)")
            return (state.add(socket, machine), greeting)
        }
        defer { ended(index) }
        if !greeting.isEmpty { try await socket.send(contentsOf: greeting) }
        while let messages = try await socket.receiveAll() {
            for message in messages {
                let reading = try state.withLock { try $0.connections[index].machine.decode(message) }
                try await write(reading.answers, on: index)
                for signal in reading.signals { try await received(signal, on: index) }
            }
            try await acknowledge(on: index)
        }
    }

    private func ended(_ index: Int) {
        let waiters = state.withLock { state in
            let session = state.connections[index].session
            if state.isCurrent(index) { state.sessions[session].connection = nil }
            if state.sessions[session].delivery == nil { state.sessions[session].topics = [] }
            return state.waiters.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    // MARK: Receiving

    private func received(_ signal: WireSignal, on index: Int) async throws {
        switch signal {
        case .resume(let resume):
            // At once: whoever else says something to the session comes after what is sent again.
            let (isMine, waiters) = try state.withLock { state in
                let answers = state.resume(resume, on: index, limits)
                let messages = try answers.flatMap { try state.connections[index].machine.encode($0) }
                // What the client has received makes room.
                return (state.enqueue(messages, on: index), state.waiters.releaseAll(with: ()))
            }
            for waiter in waiters { waiter.resume() }
            if isMine { try await drain(index) }
        case .acknowledge(let number):
            let waiters = try state.withLock { state in
                try state.sessions[state.connections[index].session].delivery?.acknowledge(upTo: number)
                return state.waiters.releaseAll(with: ())
            }
            for waiter in waiters { waiter.resume() }
        case .numbered(let number, let signal):
            let isNew = try state.withLock { state in
                // A newer connection has taken the session over.
                guard state.isCurrent(index) else { return false }
                return try state.sessions[state.connections[index].session].delivery?.receive(number) == true
            }
            if isNew { try await answer(signal, on: index) }
        default: try await answer(signal, on: index)
        }
    }

    private func answer(_ signal: WireSignal, on index: Int) async throws {
        let session = state.withLock { state in
            state.heard.append(signal)
            return state.connections[index].session
        }
        let join: WireJoin? = if case .join(let join) = signal { join } else { nil }
        for answer in try await answers(to: signal) {
            let noted = state.withLock { $0.noted(answer, to: join, in: session, count: historyCount) }
            // The reader never waits for room: it reads the acknowledgments that make some.
            try await say(noted, to: session, waits: false)
        }
    }

    private func answers(to signal: WireSignal) async throws -> [WireSignal] {
        guard case .request(let request) = signal, let handler = state.withLock({ $0.handlers[request.event] }) else {
            return try await answer(signal, self)
        }
        let outcome: WireReply.Outcome
        do {
            outcome = .success(try await handler(request.payload))
        } catch {
            outcome = .failure(error as? SocketFailure ?? SocketFailure("error", "the handler has thrown"))
        }
        guard let id = request.id else { return [] }
        return [.reply(WireReply(id: id, event: request.event, topic: request.topic, outcome))]
    }

    private func acknowledge(on index: Int) async throws {
        let number = state.withLock { state in
            state.isCurrent(index)
                ? state.sessions[state.connections[index].session].delivery?.takeAcknowledgment() : nil
        }
        if let number { try await write(encode(.acknowledge(number), on: index), on: index) }
    }

    // MARK: Sending

    /// Says something to a session: numbered where it numbers its messages, else on its connection.
    func say(_ signal: WireSignal, to session: Int, waits: Bool = true) async throws {
        while true {
            let step = try state.withLock { state -> SayStep in
                guard signal.isNumbered, let delivery = state.sessions[session].delivery else {
                    guard let index = state.sessions[session].connection else { return .gone }
                    let messages = try state.connections[index].machine.encode(signal)
                    return .write(state.enqueue(messages, on: index), index)
                }
                guard !waits || delivery.hasRoom(for: signal.size) else { return .wait(state.waiters.register()) }
                guard let numbered = state.sessions[session].delivery?.number(signal, bytes: signal.size),
                    let index = state.sessions[session].connection
                else { return .kept }
                let messages = try state.connections[index].machine.encode(numbered)
                return .write(state.enqueue(messages, on: index), index)
            }
            switch step {
            case .write(let isMine, let index): if isMine { try await drain(index) }
            case .gone: throw WebSocketPeerFailure(description: "the client's connection has ended")
            case .kept: break
            case .wait(let id):
                await WaiterList.wait(id, fallback: ()) { change in self.state.withLock { change(&$0.waiters) } }
                try Task.checkCancellation()
                continue
            }
            return
        }
    }

    private enum SayStep {
        case write(Bool, Int)
        case wait(WaiterList<Void>.ID)
        case kept, gone
    }

    private func encode(_ signal: WireSignal, on index: Int) throws -> [WebSocketMessage] {
        try state.withLock { try $0.connections[index].machine.encode(signal) }
    }

    private func write(_ messages: [WebSocketMessage], on index: Int) async throws {
        if state.withLock({ $0.enqueue(messages, on: index) }) { try await drain(index) }
    }

    /// Writes what waits, until nothing does. What a session keeps may be lost with its connection.
    private func drain(_ index: Int) async throws {
        while let (socket, messages) = state.withLock({ $0.takeOutbox(of: index) }) {
            do {
                try await socket.send(contentsOf: messages)
            } catch {
                let isKept = state.withLock { state in
                    (state.connections[index].outbox, state.connections[index].isWriting) = ([], false)
                    return state.sessions[state.connections[index].session].delivery != nil
                }
                if isKept { return }
                throw error
            }
        }
    }
}

extension SocketPeer.State {
    /// Adds messages to be written. Returns true for the task that has to write.
    fileprivate mutating func enqueue(_ messages: [WebSocketMessage], on index: Int) -> Bool {
        connections[index].outbox += messages
        guard !connections[index].isWriting, !connections[index].outbox.isEmpty else { return false }
        connections[index].isWriting = true
        return true
    }

    fileprivate mutating func takeOutbox(of index: Int) -> (any WebSocketPeer, [WebSocketMessage])? {
        guard !connections[index].outbox.isEmpty else {
            connections[index].isWriting = false
            return nil
        }
        defer { connections[index].outbox = [] }
        return (connections[index].socket, connections[index].outbox)
    }
}
