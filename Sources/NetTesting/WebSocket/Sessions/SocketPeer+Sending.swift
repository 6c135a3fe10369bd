internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension SocketPeer {
    /// The recipients of a signal.
    enum Audience {
        /// The client of the newest connection.
        case newest
        /// Every client in a channel.
        case channel(String)
        /// The client of a connection, as a reply; the reply to a join if there is one.
        case asker(Int, WireJoin?)
    }

    enum SendStep {
        /// The connections to write to.
        case write([Int])
        case wait(WaiterList<Void>.ID)
    }

    func send(_ signal: WireSignal, to audience: Audience) async throws {
        while true {
            // Room is only made by the reader, when it reads acknowledgments, and the reader waits for its own replies.
            let step = try state.withLock { state in
                try state.send(signal, to: audience, history: historyCount, waits: !Self.isAnswering)
            }
            switch step {
            case .write(let connections):
                // If one of many clients is gone, it misses the signal, or asks for it after it reconnects.
                if case .channel = audience { return (try? await drain(connections)) ?? () }
                return try await drain(connections)
            case .wait(let id):
                await WaiterList.wait(id, fallback: ()) { change in self.state.withLock { change(&$0.waiters) } }
                try Task.checkCancellation()
            }
        }
    }

    func write(_ messages: [WebSocketMessage], on index: Int) async throws {
        state.withLock { $0.enqueue(messages, on: index) }
        try await drain([index])
    }

    // MARK: Writing

    /// Writes the waiting messages of connections, unless another task is writing. Throws the first error after trying
    /// all of them.
    func drain(_ connections: [Int]) async throws {
        // Not cancelled with the caller, because these are messages of all callers.
        try await Task {
            var failure: (any Error)?
            for index in connections {
                do { try await drain(index) } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
        }.value
    }

    private func drain(_ index: Int) async throws {
        guard state.withLock({ $0.beginWriting(on: index) }) else { return }
        while let (socket, messages) = state.withLock({ $0.takeOutbox(of: index) }) {
            do {
                try await socket.send(contentsOf: messages)
            } catch {
                guard state.withLock({ $0.writingFailed(on: index) }) else { throw error }
                // The client reconnects for the messages that the session keeps.
                await socket.drop()
            }
        }
    }
}

extension SocketPeer.State {
    // MARK: Sending

    /// Records a signal, numbers it if the session numbers its messages, and adds it to the messages to write, in one
    /// step, so that positions, numbers and messages have the same order. Changes nothing if it throws.
    mutating func send(
        _ signal: WireSignal, to audience: SocketPeer.Audience, history count: Int, waits: Bool
    ) throws -> SocketPeer.SendStep {
        let members = try members(of: audience, for: signal)
        if waits, !members.allSatisfy({ hasRoom(for: signal, in: $0) }) { return .wait(waiters.register()) }
        switch (signal, audience) {
        case (.push(let push), .channel(let topic)) where count > 0:
            var history = history(of: topic, count: count)
            let connections = try enqueue(.push(history.append(push)), to: members)
            histories[topic] = history
            return .write(connections)
        case (.joined(let joined), .asker(_, let join?)) where count > 0:
            let connections = try enqueue(.joined(completed(joined, to: join, count: count)), to: members)
            for member in members { sessions[member].topics.insert(joined.topic) }
            return .write(connections)
        default:
            let connections = try enqueue(signal, to: members)
            for member in members {
                if case .joined(let joined) = signal { sessions[member].topics.insert(joined.topic) }
                if case .left(_, let topic, _) = signal { sessions[member].topics.remove(topic) }
            }
            return .write(connections)
        }
    }

    private func members(of audience: SocketPeer.Audience, for signal: WireSignal) throws -> [Int] {
        switch audience {
        case .newest:
            guard let session = newest else {
                throw WebSocketPeerFailure(description: "there was no connection yet; wait until `connections` isn't 0")
            }
            return [session]
        case .channel(let topic): return sessions.indices.filter { sessions[$0].topics.contains(topic) }
        case .asker(let index, _):
            let session = connections[index].session
            // After it has reconnected, the client asks again for replies that aren't kept.
            return isCurrent(index) || signal.isNumbered && sessions[session].delivery != nil ? [session] : []
        }
    }

    private func hasRoom(for signal: WireSignal, in session: Int) -> Bool {
        !signal.isNumbered || sessions[session].delivery?.hasRoom(for: signal.size) ?? true
    }

    /// Returns the connections of those sessions that have one.
    private mutating func enqueue(_ signal: WireSignal, to members: [Int]) throws -> [Int] {
        // Encodes first, so that a signal that can't be encoded doesn't take a number.
        let messages = try members.map { try encode(signal, in: $0) }
        for (session, messages) in zip(members, messages) {
            if signal.isNumbered { _ = sessions[session].delivery?.number(signal, bytes: signal.size) }
            if let connection = sessions[session].connection { enqueue(messages, on: connection) }
        }
        return members.compactMap { sessions[$0].connection }
    }

    private mutating func encode(_ signal: WireSignal, in session: Int) throws -> [WebSocketMessage] {
        let delivery = signal.isNumbered ? sessions[session].delivery : nil
        // Between two connections, uses the last one.
        let last = delivery == nil ? nil : connections.lastIndex { $0.session == session }
        guard let connection = sessions[session].connection ?? last else {
            throw WebSocketPeerFailure(description: "the client's connection has ended")
        }
        let numbered = delivery.map { WireSignal.numbered($0.lastSent + 1, signal) }
        return try connections[connection].machine.encode(numbered ?? signal)
    }

    // MARK: Writing

    mutating func enqueue(_ messages: [WebSocketMessage], on index: Int) {
        if !connections[index].isBroken { connections[index].outbox += messages }
    }

    /// Returns false if another task is writing.
    fileprivate mutating func beginWriting(on index: Int) -> Bool {
        defer { connections[index].isWriting = true }
        return !connections[index].isWriting
    }

    fileprivate mutating func takeOutbox(of index: Int) -> (any WebSocketPeer, [WebSocketMessage])? {
        guard !connections[index].outbox.isEmpty else {
            connections[index].isWriting = false
            return nil
        }
        defer { connections[index].outbox = [] }
        return (connections[index].socket, connections[index].outbox)
    }

    /// Returns true if the session keeps the messages that were lost.
    fileprivate mutating func writingFailed(on index: Int) -> Bool {
        connections[index].outbox = []
        let isKept = sessions[connections[index].session].delivery != nil
        // The task that writes to a broken connection continues until its outbox is empty.
        (connections[index].isBroken, connections[index].isWriting) = (isKept, isKept)
        return isKept
    }
}
