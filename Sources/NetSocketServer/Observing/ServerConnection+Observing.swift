#if Server
internal import NetCore
internal import NetSocketCore

extension ServerConnection {
    // MARK: Commands

    /// Runs the handler of a command, and reports it to the listeners.
    func outcome(of request: WireRequest, _ route: SocketRoute?, _ context: CommandContext) async -> Outcome {
        guard let observer = core.observer else { return await result(of: request, route, context).outcome }
        var command = shown(request, route?.executor == .loop ? .loop : .pool)
        command.isSerial = route?.order != .concurrent
        return await ObservedCommand(command, self, observer).run { await result(of: request, route, context) }
    }

    /// Runs a handler that needs no task, and reports it.
    func outcome(of request: WireRequest, _ handler: SocketRoute.Immediate) -> Outcome {
        guard let observer = core.observer else { return result(of: request, handler).outcome }
        let command = ObservedCommand(shown(request, .immediate), self, observer)
        return command.runImmediately { result(of: request, handler) }
    }

    /// Handles a message of a wire without an envelope.
    func handle(_ message: WebSocketMessage, _ handler: @Sendable (WebSocketMessage, CommandContext) throws -> Void) {
        guard let observer = core.observer else {
            do { try handler(message, context()) } catch {
                close(.internalError, core.reference(to: error, in: "a message"))
            }
            return
        }
        let command = SocketServerActivity.Command(
            event: SocketServerActivity.Command.messageEvent, topic: nil, wantsReply: false, executor: .immediate,
            isSerial: false)
        let outcome = ObservedCommand(command, self, observer).runImmediately {
            do {
                try handler(message, context())
                return CommandResult(outcome: .done(nil), kind: .success)
            } catch {
                let failure = SocketFailure("internal_error", core.reference(to: error, in: "a message"))
                return CommandResult(outcome: .failed(failure), kind: .failed)
            }
        }
        if case .failed(let failure) = outcome { close(.internalError, failure.message) }
    }

    private func shown(
        _ request: WireRequest, _ executor: SocketServerActivity.Command.Executor
    ) -> SocketServerActivity.Command {
        SocketServerActivity.Command(
            event: core.table.shownName(of: request.event),
            topic: request.topic.flatMap { core.channels.isUsed($0) ? $0 : nil },
            wantsReply: request.id != nil, executor: executor, isSerial: false)
    }

    // MARK: Subscriptions

    /// Runs work other than commands, and reports subscriptions.
    func outcome(
        of work: ConnectionMachine.Work, _ route: SocketRoute?, _ id: ConnectionMachine.WorkID,
        observed context: CommandContext
    ) async -> Outcome? {
        guard let observer = core.observer, work.isSubscription else {
            return await outcome(of: work, route, id, context)
        }
        observer.report(.subscribed(id), self)
        let outcome = await outcome(of: work, route, id, context)
        var code: String?
        if case .failed(let failure)? = outcome { code = failure.shownCode }
        observer.report(.unsubscribed(id, code: code), self)
        return outcome
    }

    // MARK: Channels

    /// Reports and logs joins and refused joins.
    func observe(_ signal: WireSignal) {
        switch signal {
        case .joined(let joined):
            core.observer?.report(.joined(topic: joined.topic), self)
            core.note(.joined(joined.topic), self)
        case .joinRefused(_, let topic, let failure):
            core.observer?.report(
                .notJoined(pattern: core.table.pattern(of: topic), code: failure.shownCode), self)
            core.note(.notJoined(failure.shownCode), self)
        default: break
        }
    }

    /// Removes the connection from a channel that it was in.
    func leave(_ topic: String) {
        core.channels.leave(topic, self)
        core.observer?.report(.left(topic: topic), self)
    }

    // MARK: The socket

    func observeOpening() {
        recorder?.opened(
            SocketEvent.Opening(subprotocol: head.subprotocol, compression: head.compression))
        core.observer?.report(
            .opened(
                .init(
                    wire: head.wire.name, subprotocol: head.subprotocol,
                    isAuthenticated: !machine.settings.awaitsAuthentication)), self)
    }

    func observeEnd() {
        let end = closure ?? WebSocketClosure(code: .abnormalClosure, isByPeer: true)
        core.observer?.report(.closed(end.decisiveCode, isByPeer: end.isByPeer), self)
        guard let recorder else { return }
        // The reason is omitted, since it may contain data that was sent.
        let shown = WebSocketClosure(code: end.code, isByPeer: end.isByPeer, sentCode: end.sentCode)
        recorder.closed(
            closure == nil
                ? NetError(.connectionLost, phase: .receiving, message: "the connection was lost", closure: shown)
                : NetError(
                    .webSocketClosed, phase: .receiving, message: "the WebSocket was closed with \(end.decisiveCode)",
                    closure: shown))
    }

    /// Sends a ping, which the peer's transport replies to by itself.
    func ping() {
        if recorder != nil { pinged = core.clock.now() }
        outlet?.ping()
    }

    func pongArrived() {
        guard let recorder, let sent = pinged.take() else { return }
        recorder.roundTrip(core.clock.now() - sent)
    }
}

extension RouterTable {
    /// Returns the name of a command for listeners: the name of its route, since a client may send any other name.
    func shownName(of event: String) -> String {
        guard routes[event] != nil else { return SocketServerActivity.Command.otherEvent }
        return event.isEmpty ? SocketServerActivity.Command.messageEvent : event
    }
}
#endif
