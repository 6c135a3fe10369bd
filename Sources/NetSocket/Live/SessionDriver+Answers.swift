internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension SessionDriver {
    /// A request of the server that expects a reply.
    struct Question: Sendable {
        let request: WireRequest
        let id: SocketID
        let connection: Machine.ConnectionID
    }

    /// The maximum number of the server's requests that are handled concurrently.
    static let concurrentAnswers = 16

    func onRequest<Command: SocketCommand>(
        _ type: Command.Type, topic: String?,
        _ body: @escaping @Sendable (Command) async throws -> Command.Response
    ) -> SocketRegistration {
        let (coding, refusals) = (configuration.coding, configuration.wire.refusals)
        return handlers.add(answering: type.event, topic: topic) { [weak self] request in
            let command: Command
            do throws(NetError) {
                command = try (request.payload ?? SocketPayload(json: "{}")).decoded(coding: coding)
            } catch {
                self?.tell(.unreadable(error))
                throw refusals.unreadable
            }
            let response = try await body(command)
            return response is NoResponse ? nil : try SocketPayload(response, coding: coding)
        }
    }

    /// Returns the requests of the server from now on.
    func observeQuestions() -> SocketSequence<Question> {
        hub.observe(.standard) { notice in
            guard case .request(let request, let connection) = notice, let id = request.id else { return nil }
            return Question(request: request, id: id, connection: connection)
        }
    }

    /// Replies to requests, each in a separate task.
    func answer(_ questions: SocketSequence<Question>) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            var iterator = questions.makeAsyncIterator()
            while !Task.isCancelled, let question = try? await iterator.next() {
                if running == Self.concurrentAnswers {
                    await group.next()
                    running -= 1
                }
                running += 1
                group.addTask { await self.answer(question) }
            }
            group.cancelAll()
        }
    }

    private func answer(_ question: Question) async {
        let request = question.request
        guard let outcome = await outcome(of: request) else { return }
        await state.withLock { $0.connection }?.outbox.waitForRoom()
        handle(
            .reply(
                question.connection,
                WireReply(id: question.id, event: request.event, topic: request.topic, outcome)))
    }

    /// Returns the outcome of a request; nil if no reply is sent.
    private func outcome(of request: WireRequest) async -> WireReply.Outcome? {
        let refusals = configuration.wire.refusals
        guard let answerer = handlers.answerer(of: request) else { return refusals.unknown.map { .failure($0) } }
        do {
            return .success(try await answerer.answer(request))
        } catch let failure as SocketFailure {
            return .failure(failure)
        } catch {
            // The session is over, or about to be.
            if Task.isCancelled, error is CancellationError || NetError(error)?.isCancellation == true { return nil }
            tell(
                .unhandled(
                    request,
                    NetError(error)
                        ?? NetError(
                            .unknown, phase: .preparing,
                            message: "the handler of \(request.event) threw an error: \(ErrorSummary.describe(error))",
                            underlying: error)))
            return .failure(refusals.failed)
        }
    }

    /// Handles a reply that the wire protocol can't encode.
    func refuse(_ reply: WireReply, _ error: NetError, on id: Machine.ConnectionID) {
        guard case .success = reply.outcome else { return }
        tell(.unhandled(WireRequest(id: reply.id, event: reply.event ?? "", topic: reply.topic), error))
        var reply = reply
        reply.outcome = .failure(configuration.wire.refusals.failed)
        handle(.reply(id, reply))
    }
}
