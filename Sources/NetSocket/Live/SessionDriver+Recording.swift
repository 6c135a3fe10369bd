internal import NetCore
internal import NetSocketCore

extension SessionDriver {
    /// Reports the end of a command. Without listeners, this costs one check.
    func recording<Value>(
        _ event: String, _ topic: String?, wantsReply: Bool = true,
        _ body: () async throws(SocketCommandError) -> Value
    ) async throws(SocketCommandError) -> Value {
        guard let recorder else { return try await body() }
        let start = clock.now()
        var command = SessionActivity.Command(event: event, topic: topic, wantsReply: wantsReply)
        do throws(SocketCommandError) {
            let value = try await body()
            command.duration = clock.now() - start
            recorder.record(.command(command))
            return value
        } catch {
            command.duration = clock.now() - start
            command.failure = error.recorded
            recorder.record(.command(command))
            throw error
        }
    }

    /// Reports the end of a posted command.
    func record(_ posted: PostedCommand, _ outcome: Machine.Outcome) {
        guard let recorder else { return }
        var command = SessionActivity.Command(event: posted.event, topic: posted.topic, wantsReply: true)
        command.duration = clock.now() - posted.start
        if case .failure(let error) = outcome.result { command.failure = error.recorded }
        recorder.record(.command(command))
    }
}

extension SessionRecorder {
    /// Reports a notice for observers, unless it carries a payload.
    func note(_ notice: SessionMachine.Notice) {
        switch notice {
        case .state(let state): note(state)
        case .joined(let topic, _, let missed): record(.joined(topic: topic, missed: missed))
        case .left(let topic, let failure): record(.left(topic: topic, code: failure?.code))
        case .gap(let topic): record(.gap(topic: topic))
        case .completed(let ticket, let failure): record(.unsubscribed(ticket, code: failure?.code))
        case .unreadable(let error): record(.unreadable(error))
        case .undelivered(let requests): record(.undelivered(count: requests.count))
        case .unhandled(let request, let error): record(.unhandled(event: request.event, error))
        case .push, .joining, .leaving, .interrupted, .event, .request, .cancelled, .stray, .settled, .presence: break
        }
    }

    private func note(_ state: SocketSessionState) {
        switch state {
        case .open: record(.opened)
        case .waiting(let attempt, let wait, let error): record(.waiting(attempt: attempt, wait: wait, error))
        case .suspended: record(.paused)
        case .failed(let error): record(.ended(error))
        case .closed: record(.ended(nil))
        // The handshake is a call that has its own events.
        case .idle, .connecting: break
        }
    }
}

extension SocketCommandError {
    /// The error without the server's text; only its code is kept.
    var recorded: SessionActivity.Failure {
        switch self {
        case .rejected(let failure): .rejected(code: failure.code)
        case .failed(let error): .failed(error)
        }
    }
}
