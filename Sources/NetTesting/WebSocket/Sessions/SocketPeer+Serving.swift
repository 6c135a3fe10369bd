internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension SocketPeer {
    /// Serves one connection until it ends.
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
                try await write(reading.responses, on: index)
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
            // In one step: any other signal to the session comes after the messages that are sent again.
            let waiters = try state.withLock { state in
                let answers = try state.resume(resume, on: index, limits)
                let messages = try answers.flatMap { try state.connections[index].machine.encode($0) }
                state.enqueue(messages, on: index)
                // The messages that the client has received make room.
                return state.waiters.releaseAll(with: ())
            }
            for waiter in waiters { waiter.resume() }
            try await drain([index])
        case .acknowledge(let number):
            let waiters = try state.withLock { state in
                guard state.isCurrent(index) else { return [WaiterList<Void>.Waiter]() }
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
        default: if state.withLock({ $0.isCurrent(index) }) { try await answer(signal, on: index) }
        }
    }

    private func answer(_ signal: WireSignal, on index: Int) async throws {
        let isKept = state.withLock { state in
            state.received.append(signal)
            state.connections[index].hasSpoken = true
            return state.sessions[state.connections[index].session].delivery != nil
        }
        let join: WireJoin? = if case .join(let join) = signal { join } else { nil }
        try await Self.$isAnswering.withValue(true) {
            // A message that a session has numbered counts as received, so it gets a reply even if the connection ends
            // in the meantime.
            let said = isKept ? try await Task { try await answers(to: signal) }.value : try await answers(to: signal)
            for answer in said { try await send(answer, to: .asker(index, join)) }
        }
    }

    private func answers(to signal: WireSignal) async throws -> [WireSignal] {
        guard case .request(let request) = signal, let handler = state.withLock({ $0.handlers[request.event] }) else {
            return try await respond(signal, self)
        }
        let outcome: WireReply.Outcome
        do {
            outcome = .success(try await handler(request.payload))
        } catch {
            outcome = .failure(error as? SocketFailure ?? SocketFailure("error", "the handler threw"))
        }
        guard let id = request.id else { return [] }
        return [.reply(WireReply(id: id, event: request.event, topic: request.topic, outcome))]
    }

    private func acknowledge(on index: Int) async throws {
        let number = state.withLock { state in
            state.isCurrent(index)
                ? state.sessions[state.connections[index].session].delivery?.takeAcknowledgment() : nil
        }
        guard let number else { return }
        let messages = try state.withLock { try $0.connections[index].machine.encode(.acknowledge(number)) }
        try await write(messages, on: index)
    }
}
