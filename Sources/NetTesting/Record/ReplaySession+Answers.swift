internal import HTTPTypes
package import NetCore
internal import NetRecord
internal import Synchronization

extension ReplaySession {
    /// The handling of a request.
    private enum Decision {
        case record
        case replay(CapturedExchange)
        /// The recording is being replaced because of its age.
        case renew(CapturedExchange?)
    }

    package func execute(
        _ request: PreparedRequest, context: CallContext, over transport: (any HTTPTransport)?
    ) async throws(NetError) -> StreamedResponse {
        if mode == .all { return try await record(request, context, transport) }
        var request = request
        // The request is compared with its body, and a stream can be read only once.
        let body = try await Self.collect(request.body, context)
        if case .stream = request.body { request.body = .bytes(body) }
        let sent = CapturedExchange.Request(
            method: request.head.method, url: request.url, headers: request.head.headerFields, body: CapturedBody(body))
        let policy = recorder.redaction.joined(with: context.redaction(of: request))
        let live = policy.redact(sent)
        switch try decide(live, by: policy, canRenew: transport != nil, context) {
        case .record: return try await record(request, context, transport)
        case .replay(let exchange): return try await replay(exchange, request, context)
        case .renew(let old):
            return try await renew(live, old) { () async throws(NetError) in
                try await record(request, context, transport)
            } replay: { exchange throws(NetError) in
                try await replay(exchange, request, context)
            }
        }
    }

    /// Opens a WebSocket, by the same rules as ``execute(_:context:over:)``.
    package func connect(
        _ request: PreparedRequest, context: CallContext, over transport: (any WebSocketTransport)?
    ) async throws(NetError) -> WebSocketOpening {
        if mode == .all { return try await record(request, context, transport) }
        let policy = recorder.redaction.joined(with: context.redaction(of: request))
        let live = policy.redact(
            CapturedExchange.Request(handshake: request), subprotocol: request.options.webSocket?.secretSubprotocol)
        switch try decide(live, by: policy, canRenew: transport != nil, context) {
        case .record: return try await record(request, context, transport)
        case .replay(let exchange): return try await open(exchange, request, context)
        case .renew(let old):
            return try await renew(live, old) { () async throws(NetError) in
                try await record(request, context, transport)
            } replay: { exchange throws(NetError) in
                try await open(exchange, request, context)
            }
        }
    }

    private func decide(
        _ live: CapturedExchange.Request, by policy: RedactionPolicy, canRenew: Bool, _ context: CallContext
    ) throws(NetError) -> Decision {
        let (exchange, isRenewing) = state.withLock { state in
            (state.replay.take(live, by: policy, rules: options.rules), state.replay.renewal == .running)
        }
        if isRenewing, canRenew { return .renew(exchange) }
        if let exchange { return .replay(exchange) }
        if records { return .record }
        throw context.error(
            .invalidRequest, phase: .preparing,
            message: state.withLock { $0.replay.miss(live, rules: options.rules, lock: lock) })
    }

    // MARK: Replaying

    private func replay(
        _ exchange: CapturedExchange, _ request: PreparedRequest, _ context: CallContext
    ) async throws(NetError) -> StreamedResponse {
        try await ReplayedExchange(exchange: exchange, timing: options.timing).answer(request, context)
    }

    private func open(
        _ exchange: CapturedExchange, _ request: PreparedRequest, _ context: CallContext
    ) async throws(NetError) -> WebSocketOpening {
        guard let socket = exchange.socket else {
            return .refused(try await replay(exchange, request, context))
        }
        return try await ReplayedSocket(
            exchange: exchange, socket: socket, rules: options.rules, timing: options.timing,
            redaction: recorder.redaction.joined(with: context.redaction(of: request))
        ).open(request, context)
    }

    // MARK: Recording

    private func record(
        _ request: PreparedRequest, _ context: CallContext, _ transport: (any HTTPTransport)?
    ) async throws(NetError) -> StreamedResponse {
        guard let transport else { throw Self.nothingToRecordOver("transport", context) }
        return try await recorder.execute(request, context: context, over: transport)
    }

    private func record(
        _ request: PreparedRequest, _ context: CallContext, _ transport: (any WebSocketTransport)?
    ) async throws(NetError) -> WebSocketOpening {
        guard let transport else { throw Self.nothingToRecordOver("WebSocket transport", context) }
        return try await recorder.connect(request, context: context, over: transport)
    }

    private static func nothingToRecordOver(_ what: String, _ context: CallContext) -> NetError {
        context.error(
            .invalidRequest, phase: .preparing,
            message: "there is no \(what) to record over; pass one to the initializer")
    }

    /// Sends a request whose recording is too old; replays the recording if the new response is worse.
    private func renew<Answer: RecordedAnswer>(
        _ live: CapturedExchange.Request, _ old: CapturedExchange?,
        record: () async throws(NetError) -> Answer, replay: (CapturedExchange) async throws(NetError) -> Answer
    ) async throws(NetError) -> Answer {
        let name = "\(live.method.rawValue) \(live.url)"
        let answer: Answer
        do {
            answer = try await record()
        } catch {
            if case .failure = old?.outcome, !error.isCancellation { throw error }
            abandonRenewal("\(name) failed: \(error.message)")
            guard let old, !error.isCancellation else { throw error }
            return try await replay(old)
        }
        guard let old, RecordingAge.isWorse(answer.statusCode, than: old) else { return answer }
        answer.abandon()
        abandonRenewal("the response to \(name) has status \(answer.statusCode)")
        return try await replay(old)
    }

    private func abandonRenewal(_ reason: String) {
        state.withLock { state in
            if state.replay.renewal == .running { state.replay.renewal = .abandoned(reason) }
        }
        recorder.reset()
    }

    private static func collect(
        _ body: RequestBody.Content, _ context: CallContext
    ) async throws(NetError) -> Bytes {
        switch body {
        case .none: return Bytes()
        case .bytes(let bytes): return bytes
        case .stream(_, _, let make):
            do {
                return try await ResponseBody(source: make()).collect(upTo: .max)
            } catch {
                if let error = NetError(error) {
                    throw error.filling(call: context.summary, elapsed: context.elapsed)
                }
                throw context.error(
                    .encoding, phase: .sending,
                    message: "the body's stream cannot be made: \(ErrorSummary.describe(error))", underlying: error)
            }
        }
    }
}

/// A transport's result, as far as it is compared with an old recording.
private protocol RecordedAnswer {
    var statusCode: Int { get }
    func abandon()
}

extension StreamedResponse: RecordedAnswer {
    fileprivate var statusCode: Int { head.status.code }
    fileprivate func abandon() { body.cancel() }
}

extension WebSocketOpening: RecordedAnswer {
    fileprivate var statusCode: Int {
        switch self {
        case .opened: 101
        case .refused(let response): response.head.status.code
        }
    }

    fileprivate func abandon() {
        switch self {
        case .opened(let link): link.drop()
        case .refused(let response): response.body.cancel()
        }
    }
}
