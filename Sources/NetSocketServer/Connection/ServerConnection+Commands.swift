#if Server
internal import NetCore
internal import NetSocketCore

extension ServerConnection {
    typealias Outcome = ConnectionMachine.Outcome

    /// Handles a command whose handler needs no task. Returns false for any other signal.
    func handledImmediately(_ signal: WireSignal) -> Bool {
        guard core.table.hasImmediate, case .request(let request) = signal, machine.phase == .open,
            !machine.isIdentifying,
            let handler = core.table.routes[request.event]?.immediate, core.table.authorize == nil
        else { return false }
        if let topic = request.topic, machine.settings.requiresJoin, !machine.topics.contains(topic) { return false }
        let outcome = outcome(of: request, handler)
        if let reply = request.reply(outcome) { say(.reply(reply)) }
        return true
    }

    /// Starts the handler of work.
    func start(_ id: ConnectionMachine.WorkID, _ work: ConnectionMachine.Work) {
        let command = RunningCommand()
        commands[id] = command
        let deadline = machine.running.last { $0.id == id }?.deadline
        let context = context(work.id, topic: work.topic, deadline: deadline)
        // Looked up only once: on the loop, a lookup costs as much as a lock.
        let route = core.route(of: work)
        let isAccepted = runner.start(core.executor(for: work, route), for: head.path) {
            let hasRun = await command.run {
                let outcome = await self.outcome(of: work, route, id, observed: context)
                if let outcome { self.lane.run { self.ended(id, outcome) } }
            }
            if !hasRun { self.lane.run { self.ended(id, .failed(Self.cancelled)) } }
        }
        if !isAccepted { ended(id, .failed(SocketFailure("unavailable", "the server is going away"))) }
    }

    private static let cancelled = SocketFailure("cancelled", "the command was cancelled")

    /// Handles the end of work. On the lane.
    func ended(_ id: ConnectionMachine.WorkID, _ outcome: Outcome) {
        commands[id] = nil
        let now = core.clock.now()
        perform { machine, effects in
            _ = machine.ended(id, outcome, now: now, &effects) { [core] in core.order(of: $0) }
        }
        if hasEnded, machine.running.isEmpty { core.sessions.lingersNoMore(self) }
    }

    /// Runs the handler; nil if its end is reported elsewhere.
    func outcome(
        of work: ConnectionMachine.Work, _ route: SocketRoute?, _ id: ConnectionMachine.WorkID,
        _ context: CommandContext
    ) async -> Outcome? {
        do {
            switch work {
            case .command(let request): return await outcome(of: request, route, context)
            case .subscription(let id, let payload):
                guard let route = core.table.subscription else {
                    throw SocketFailure("unknown_command", "this server doesn't support subscriptions")
                }
                try await route.handler(id, payload, context)
                return .done(nil)
            case .opening(let payload): return try await opening(payload, context)
            case .authentication(let request):
                let identity = try await check(request.payload, context)
                lane.run { self.identified(id, identity) }
                return nil
            case .join(let join):
                try await enter(join, id, context)
                return nil
            case .ask(let topic):
                try await stay(in: topic, context)
                return .done(nil)
            }
        } catch {
            return .failed(failure(for: error, in: work.name))
        }
    }

    /// Runs the handler of a command, and counts it.
    func result(of request: WireRequest, _ route: SocketRoute?, _ context: CommandContext) async -> CommandResult {
        do {
            try await core.table.authorize?(request, context)
            guard let route else {
                throw head.wire.refusals.unknown
                    ?? SocketFailure("unknown_command", "there is no command with this name")
            }
            let reply = try await route.handler(request, context)
            // A client that was notified of a timeout, or has disconnected, doesn't get the reply.
            return counted(request, .done(reply), Task.isCancelled ? cancellation(context) : .success)
        } catch {
            let isCancelled = error is CancellationError || Task.isCancelled
            return counted(
                request, failed(request, error), isCancelled ? cancellation(context) : kind(of: error, request))
        }
    }

    /// Runs a handler that needs no task, and counts it.
    func result(of request: WireRequest, _ handler: SocketRoute.Immediate) -> CommandResult {
        do {
            return counted(
                request, .done(try handler(request, context(request.id, topic: request.topic))), .success)
        } catch {
            return counted(request, failed(request, error), kind(of: error, request))
        }
    }

    private func counted(
        _ request: WireRequest, _ outcome: Outcome, _ kind: SocketServerMetrics.Outcome
    ) -> CommandResult {
        core.metrics.commandEnded(kind)
        if core.logsDetails { core.note(.command(core.table.shownName(of: request.event), kind), self) }
        return CommandResult(outcome: outcome, kind: kind)
    }

    /// Returns the reason for a task's cancellation: its time limit was over, or its client has disconnected or
    /// cancelled it.
    private func cancellation(_ context: CommandContext) -> SocketServerMetrics.Outcome {
        context.deadline.map { core.clock.now() >= $0 } == true ? .timeout : .cancelled
    }

    private func kind(of error: any Error, _ request: WireRequest) -> SocketServerMetrics.Outcome {
        switch error {
        case is UnreadablePayload: .unreadable
        case is CancellationError: .cancelled
        case is SocketFailure: core.table.route(request.event) == nil ? .unknown : .rejected
        default: .failed
        }
    }

    private func failed(_ request: WireRequest, _ error: any Error) -> Outcome {
        .failed(failure(for: error, in: request.event))
    }

    /// Returns the failure that the client receives for an error: the error itself if it is a failure, and otherwise
    /// one of the wire's codes and a reference to the log.
    private func failure(for error: any Error, in event: String) -> SocketFailure {
        let refusals = head.wire.refusals
        switch error {
        case let failure as SocketFailure: return failure
        case is UnreadablePayload:
            return SocketFailure(refusals.unreadable.code, "the payload of \(event) could not be read")
        case is CancellationError: return Self.cancelled
        case let error as NetError where error.code == .cancelled && Task.isCancelled: return Self.cancelled
        case let error as NetError where error.underlying is FanOutUnavailable:
            return SocketFailure(SocketFailure.unavailable, "other servers can't be reached now; try again later")
        default:
            let reference = core.reference(to: error, in: core.table.shownName(of: event))
            return SocketFailure(refusals.failed.code, "the command failed; its reference is \(reference)")
        }
    }

    private func opening(_ payload: SocketPayload?, _ context: CommandContext) async throws -> Outcome {
        if core.firstMessage != nil {
            let identity = try await check(payload, context)
            do { try core.count(identity.user, ticket, at: HandshakePlace(head)) } catch {
                throw SocketFailure("too_many_connections", error.message)
            }
            let isAnother = setIdentity(identity)
            lane.run { self.identified(identity, isAnother: isAnother) }
        }
        let now = self.context()
        return .done(try await core.table.opening?(payload, now))
    }

    /// Returns the identity that credentials prove.
    private func check(_ payload: SocketPayload?, _ context: CommandContext) async throws -> Identity {
        guard let check = core.firstMessage else {
            throw SocketFailure("unknown_command", "this server doesn't accept credentials in messages")
        }
        guard let identity = try await check(payload, context.connection.head) else {
            throw SocketFailure("unauthorized", "the credentials are not accepted")
        }
        return identity
    }

    private func enter(_ join: WireJoin, _ id: ConnectionMachine.WorkID, _ context: CommandContext) async throws {
        let rules = try await rules(of: join, context)
        try await core.channels.enter(join, id, rules, self, context.era)
    }

    /// Asks a channel if the connection may stay in it. The payload of the former user's join isn't repeated.
    private func stay(in topic: String, _ context: CommandContext) async throws {
        let rules = try await rules(of: WireJoin(id: 0, topic: topic), context)
        try await core.channels.admit(self, to: topic, rules, context.era)
    }

    private func rules(of join: WireJoin, _ context: CommandContext) async throws -> ChannelRules {
        guard !UserDirectory.owns(join.topic), let decide = core.table.decide(join.topic) else {
            throw SocketFailure("unknown_channel", "there is no channel with this name")
        }
        let rules = try await decide(join, context)
        try Task.checkCancellation()
        return rules
    }
}

extension ConnectionMachine.Work {
    /// The name for logs.
    var name: String {
        switch self {
        case .command(let request), .authentication(let request): request.event
        case .opening: "the opening"
        case .subscription: "a subscription"
        case .join, .ask: "a join"
        }
    }
}
#endif
