internal import HTTPTypes
package import NetCore
internal import NetRecord
internal import Synchronization

/// One run of a cassette: what answers, what is recorded, what is written at the end. The transport to record over comes
/// with each request, so that the session can be opened before there is one.
package final class ReplaySession: Sendable {
    /// What a session is opened with; the arguments of ``ReplayTransport``.
    package struct Options: Sendable {
        package var path: String
        package var mode = ReplayTransport.Mode.once
        package var rules = ReplayRules()
        package var timing = ReplayTransport.Timing.atOnce
        package var redaction = RedactionPolicy.safeDefault
        package var reRecordInterval: Duration?
        package var maximumBodyBytes = 16 << 20
        package var clock = NetClock.system
        package var environment = ReplayEnvironment.process

        package init(path: String) {
            self.path = path
        }
    }

    private struct State {
        var replay: ReplayState
        var file: CassetteFile
    }

    /// The mode that counts, after the environment was asked.
    package let mode: ReplayTransport.Mode
    private let options: Options
    private let lock: String?
    private let records: Bool
    private let age: Duration?
    private let recorder: Recorder
    private let state: Mutex<State>

    /// Opens the cassette. Throws `.decoding` for a file that cannot be read.
    ///
    /// - Parameter canRecord: Whether there can be a transport to record over.
    package init(_ options: Options, canRecord: Bool) throws(NetError) {
        let decision = try options.environment.decide(options.mode)
        (mode, lock, self.options) = (decision.mode, decision.lock, options)
        let exists = Cassette.exists(at: options.path)
        records = mode == .all || mode == .newEpisodes || mode == .once && !exists
        var old = Cassette()
        // Also where all is recorded anew: a broken file is found before the requests are sent, not after.
        if exists || !records || !canRecord { old = try Self.read(options.path, lock: decision.lock) }
        age = mode == .all || mode == .none ? nil : RecordingAge.age(of: old, on: options.clock)
        let isOld = canRecord && age.map { age in options.reRecordInterval.map { age > $0 } ?? false } ?? false
        recorder = Recorder(redaction: options.redaction, maximumBodyBytes: options.maximumBodyBytes)
        state = Mutex(
            State(
                replay: ReplayState(
                    file: options.path, cassette: mode == .all ? Cassette() : old, redaction: options.redaction,
                    renewal: isOld ? .running : .none),
                file: CassetteFile(path: options.path, content: old.exchanges)))
    }

    private static func read(_ path: String, lock: String?) throws(NetError) -> Cassette {
        do {
            return try Cassette.read(from: path)
        } catch {
            var error = error
            if let lock, !Cassette.exists(at: path) { error.advice += " (nothing is recorded here: \(lock))" }
            throw NetError(error)
        }
    }

    package static func exists(_ path: String) -> Bool { Cassette.exists(at: path) }

    /// Whether a request may go to a real server.
    package var canRecord: Bool { records || state.withLock { $0.replay.renewal == .running } }

    /// The recorded exchanges that have answered nothing, with their places; none once they are being replaced.
    package var unusedExchanges: [String] {
        let isReplacing = recordedCount > 0
        return state.withLock { isReplacing && $0.replay.renewal == .running ? [] : $0.replay.unused }
    }

    package var recordedCount: Int { recorder.exchanges.count }

    package var renewalFailure: String? {
        guard case .abandoned(let reason) = state.withLock({ $0.replay.renewal }) else { return nil }
        let hours = (age ?? .zero).components.seconds / 3600
        let text = hours < 48 ? "\(hours) hours" : "\(hours / 24) days"
        return
            "\(options.path) was recorded \(text) ago and could not be recorded anew, so it is used as it is: \(reason)"
    }

    package func reset() {
        recorder.reset()
        state.withLock { $0.replay.reset() }
    }

    /// Writes what was recorded; does nothing where nothing was, or where a new recording is worse than the old one.
    package func save() throws(NetError) {
        let recorded = recorder.exchanges
        guard !recorded.isEmpty else { return }
        let result = state.withLock { state -> Result<Void, NetError> in
            let isRenewed = state.replay.renewal == .running
            if isRenewed {
                let (new, old) = (
                    RecordingAge.defects(in: recorded), RecordingAge.defects(in: state.replay.cassette.exchanges)
                )
                guard new <= old else {
                    state.replay.renewal = .abandoned("\(new) of its exchanges failed or broke off, \(old) did before")
                    return .success(())
                }
            }
            do throws(NetError) {
                try state.file.write(recorded, isReplacing: isRenewed || mode == .all)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}

extension ReplaySession {
    package func execute(
        _ request: PreparedRequest, context: CallContext, over transport: (any HTTPTransport)?
    ) async throws(NetError) -> StreamedResponse {
        if mode == .all { return try await record(request, context, transport) }
        var request = request
        // It is compared with its body, and a stream can be read only once.
        let body = try await Self.collect(request.body, context)
        if case .stream = request.body { request.body = .bytes(body) }
        let live = recorder.redaction.redact(
            RecordedExchange.Request(
                method: request.head.method, url: request.url, headers: request.head.headerFields,
                body: RecordedBody(body)))
        let (exchange, isRenewing) = state.withLock { state in
            (state.replay.take(live, rules: options.rules), state.replay.renewal == .running)
        }
        if isRenewing, let transport { return try await renew(request, live, exchange, context, transport) }
        if let exchange { return try await replay(exchange, request, context) }
        if records { return try await record(request, context, transport) }
        throw context.error(
            .invalidRequest, phase: .preparing,
            message: state.withLock { $0.replay.miss(live, rules: options.rules, lock: lock) })
    }

    private func replay(
        _ exchange: RecordedExchange, _ request: PreparedRequest, _ context: CallContext
    ) async throws(NetError) -> StreamedResponse {
        try await ReplayedExchange(exchange: exchange, timing: options.timing).answer(request, context)
    }

    private func record(
        _ request: PreparedRequest, _ context: CallContext, _ transport: (any HTTPTransport)?
    ) async throws(NetError) -> StreamedResponse {
        guard let transport else {
            throw context.error(
                .invalidRequest, phase: .preparing,
                message: "there is no transport to record over; hand one to the initializer")
        }
        return try await recorder.execute(request, context: context, over: transport)
    }

    /// Sends a request whose recording is old; answers from that when the new answer is worse.
    private func renew(
        _ request: PreparedRequest, _ live: RecordedExchange.Request, _ old: RecordedExchange?, _ context: CallContext,
        _ transport: any HTTPTransport
    ) async throws(NetError) -> StreamedResponse {
        let name = "\(live.method.rawValue) \(live.url)"
        let response: StreamedResponse
        do {
            response = try await recorder.execute(request, context: context, over: transport)
        } catch {
            if case .failure = old?.outcome, !error.isCancellation { throw error }
            abandonRenewal("\(name) failed: \(error.message)")
            guard let old, !error.isCancellation else { throw error }
            return try await replay(old, request, context)
        }
        guard let old, RecordingAge.isWorse(response.status.code, than: old) else { return response }
        response.body.cancel()
        abandonRenewal("\(name) was answered with \(response.status.code)")
        return try await replay(old, request, context)
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
