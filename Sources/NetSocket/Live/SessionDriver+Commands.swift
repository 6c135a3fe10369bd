internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension SessionDriver {
    func send<Command: SocketCommand>(
        _ command: Command, topic: String?, _ timeout: Duration?, _ offline: OfflineRule
    ) async throws(SocketCommandError) -> Command.Response {
        try await recording(Command.event, topic) { () async throws(SocketCommandError) in
            try await ask(command, topic: topic, timeout, offline)
        }
    }

    private func ask<Command: SocketCommand>(
        _ command: Command, topic: String?, _ timeout: Duration?, _ offline: OfflineRule
    ) async throws(SocketCommandError) -> Command.Response {
        let payload = try encode(command)
        let timeout = timeout ?? configuration.requestTimeout
        let message = Machine.Request(
            Command.event, payload: payload, topic: topic, timeout: timeout, offline: offline)
        let reply = try await result(within: timeout) { .request($0, message) }
        if Command.Response.self == NoResponse.self, let none = NoResponse() as? Command.Response { return none }
        do throws(NetError) {
            return try (reply ?? SocketPayload(json: "{}")).decoded(coding: configuration.coding)
        } catch {
            // The server has acted on the command.
            throw .failed(error.knowing(.unanswered))
        }
    }

    func notify(_ push: some SocketPush, topic: String?, _ offline: OfflineRule) async throws(SocketCommandError) {
        let event = type(of: push).event
        try await recording(event, topic, wantsReply: false) { () async throws(SocketCommandError) in
            let message = Machine.Request(
                event, payload: try encode(push), topic: topic, wantsReply: false,
                timeout: configuration.requestTimeout, offline: offline)
            _ = try await result(within: message.timeout) { .request($0, message) }
        }
    }

    func encode(_ value: some Encodable) throws(SocketCommandError) -> SocketPayload {
        do throws(NetError) { return try SocketPayload(value, coding: configuration.coding) } catch {
            throw .failed(error)
        }
    }

    /// Waits for the outcome of an event, and throws an error if the outcome is a failure.
    func result(
        within limit: Duration, _ prepare: (inout State) -> NetError? = { _ in nil },
        _ event: (Machine.Ticket) -> Machine.Event
    ) async throws(SocketCommandError) -> SocketPayload? {
        switch await wait(within: limit, prepare, event) {
        case .success(let payload): return payload
        case .rejected(let failure): throw .rejected(failure)
        case .failed(let loss): throw .failed(Self.error(loss))
        }
    }

    static func error(_ loss: Machine.Loss) -> NetError {
        switch loss {
        case .lost(let error, let mayHaveArrived):
            error.knowing(mayHaveArrived ? .unanswered : .unprocessed)
        case .timedOut(let timeout, let mayHaveArrived):
            NetError(
                .timeout, phase: mayHaveArrived ? .waiting : .queued,
                message: mayHaveArrived
                    ? "no reply arrived within \(timeout)" : "there was no connection within \(timeout)")
        case .offline:
            NetError(
                .connectionLost, phase: .queued,
                message: "there is no connection now; send it with another OfflineRule to wait for one")
        case .full:
            NetError(
                .limited, phase: .queued,
                message: "the queue of messages that wait for a connection is full; raise its limits or send less")
        case .replaced:
            NetError(
                .cancelled, phase: .queued,
                message: "the message was dropped, or replaced by a newer one, while it waited for a connection")
        case .notJoined(let topic):
            NetError(
                .invalidRequest, phase: .preparing, message: "the channel \(topic) is not joined; join it first")
        case .cancelled(let mayHaveArrived):
            NetError(
                .cancelled, phase: mayHaveArrived ? .waiting : .queued,
                message: mayHaveArrived
                    ? "waiting for the reply was cancelled" : "the message was cancelled before it was sent")
        case .closed:
            NetError(.webSocketClosed, phase: .queued, message: "the session is over; create another one")
        case .unprepared(let error): error.knowing(.unprocessed)
        }
    }

    func pushes<Push: SocketPush>(
        of type: Push.Type, topic: String?, _ buffer: SocketBuffer
    ) -> SocketSequence<Push> {
        let coding = configuration.coding
        return hub.observe(
            buffer,
            decoding: { [weak self] notice, cache in
                guard case .push(let push) = notice, push.event == Push.event, topic.map(push.belongs) ?? true
                else { return nil }
                return cache.value(type, of: push, coding) { self?.tell(.unreadable($0)) }
            })
    }
}
