internal import HTTPTypes
public import NetCore
internal import NetRecord
internal import Synchronization

/// A transport that answers from a recording, and records where its mode lets it.
///
/// A live request is redacted like the recording before the two are compared, so hidden secrets do not keep them apart. A
/// request that nothing answers throws `.invalidRequest`, naming the nearest recorded exchange, its place in the file and
/// what differs. A streamed request body is read whole before it is compared.
///
///     let replay = try ReplayTransport(cassette: "Fixtures/user.json", over: CurlTransport())
///     let client = HTTPClient(configuration: .init(baseURL: "https://api.example.com"), transport: replay)
///     _ = try await client.send(GetUser(id: 7))
///     try replay.save()
public final class ReplayTransport: HTTPTransport {
    /// When the real transport is used.
    public enum Mode: Sendable, Hashable {
        /// Records where there is no file, else only replays.
        case once
        /// Replays what is recorded and records the rest.
        case newEpisodes
        /// Records everything anew.
        case all
        /// Only replays; without a file it fails.
        case none
    }

    /// How the pauses of the recording are kept, on the clock of the call.
    public enum Timing: Sendable, Hashable {
        /// No pauses.
        case atOnce
        /// The pauses, times a factor: 0.1 is ten times as fast.
        case scaled(Double)
        /// The pauses as they were.
        case real

        func applied(to pause: Duration) -> Duration {
            switch self {
            case .atOnce: .zero
            case .scaled(let factor): factor.isFinite && factor > 0 ? pause * factor : .zero
            case .real: pause
            }
        }
    }

    private let path: String
    private let transport: (any HTTPTransport)?
    private let rules: ReplayRules
    private let timing: Timing
    private let recorder: Recorder
    private let replays: Bool
    private let records: Bool
    private let state: Mutex<ReplayState>
    private let isShutDown = Atomic(false)

    /// Opens a cassette, or a HAR file where the name ends in `.har`.
    ///
    /// Throws `.decoding` for a file that cannot be read, saying where and what to do; the file is never changed then.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - mode: When to record. Default ``Mode/once``.
    ///   - transport: What carries the requests that are recorded. Default none: only replay.
    ///   - rules: When a request is the recorded one.
    ///   - timing: Whether pauses are kept. Default none.
    ///   - redaction: What is hidden in the recording, and before comparing.
    ///   - maximumBodyBytes: How much of each body is recorded. Default 16 MiB.
    public init(
        cassette path: String, mode: Mode = .once, over transport: (any HTTPTransport)? = nil,
        rules: ReplayRules = ReplayRules(), timing: Timing = .atOnce, redaction: RedactionPolicy = .safeDefault,
        maximumBodyBytes: Int = 16 << 20
    ) throws(NetError) {
        let exists = Cassette.exists(at: path)
        replays = mode != .all
        records = mode == .all || mode == .newEpisodes || mode == .once && !exists
        let cassette: Cassette
        do {
            // Also where all is recorded anew: a broken file is found before the requests are sent, not after.
            let old = exists || !records || transport == nil ? try Cassette.read(from: path) : Cassette()
            cassette = replays ? old : Cassette()
        } catch {
            throw NetError(error)
        }
        self.path = path
        self.transport = transport
        self.rules = rules
        self.timing = timing
        recorder = Recorder(redaction: redaction, maximumBodyBytes: maximumBodyBytes)
        state = Mutex(ReplayState(file: path, cassette: cassette, redaction: redaction))
    }

    /// The recorded exchanges that have answered nothing yet, each with its place in the file.
    public var unusedExchanges: [String] { state.withLock { $0.unused } }

    /// How many exchanges were recorded by this transport.
    public var recordedCount: Int { recorder.exchanges.count }

    /// Throws `.invalidRequest`, naming every recorded exchange that has answered nothing.
    public func verify() throws(NetError) {
        let unused = unusedExchanges
        guard !unused.isEmpty else { return }
        throw NetError(
            .invalidRequest, phase: .preparing,
            message: "\(unused.count) recorded exchanges were not used; send their requests or remove them: "
                + unused.joined(separator: "; "))
    }

    /// Writes what was recorded, after what the file held; does nothing where nothing was.
    public func save() throws(NetError) {
        let recorded = recorder.exchanges
        guard !recorded.isEmpty else { return }
        let old = state.withLock { $0.cassette.exchanges }
        do { try Cassette(old + recorded).write(to: path) } catch { throw NetError(error) }
    }

    public func execute(
        _ request: PreparedRequest, context: CallContext
    ) async throws(NetError) -> StreamedResponse {
        if isShutDown.load(ordering: .relaxed) {
            throw context.error(.shutdown, phase: .preparing, message: "the transport was shut down")
        }
        guard replays else { return try await record(request, context) }
        var request = request
        switch request.body {
        case .none: return try await answer(request, Bytes(), context)
        case .bytes(let bytes): return try await answer(request, bytes, context)
        case .stream(_, _, let make):
            // It is compared with its body, and a stream can be read only once.
            let bytes = try await Self.collect(make, context)
            request.body = .bytes(bytes)
            return try await answer(request, bytes, context)
        }
    }

    /// Shuts down the real transport; later calls throw `.shutdown`.
    public func shutdown() async {
        isShutDown.store(true, ordering: .relaxed)
        await transport?.shutdown()
    }

    private func answer(
        _ request: PreparedRequest, _ body: Bytes, _ context: CallContext
    ) async throws(NetError) -> StreamedResponse {
        let live = recorder.redaction.redact(
            RecordedExchange.Request(
                method: request.head.method, url: request.url, fields: request.head.headerFields,
                body: RecordedBody(body)))
        if let exchange = state.withLock({ $0.take(live, rules: rules) }) {
            return try await ReplayedExchange(exchange: exchange, timing: timing).answer(request, context)
        }
        if records { return try await record(request, context) }
        throw context.error(
            .invalidRequest, phase: .preparing, message: state.withLock { $0.miss(live, rules: rules) })
    }

    private func record(_ request: PreparedRequest, _ context: CallContext) async throws(NetError) -> StreamedResponse {
        guard let transport else {
            throw context.error(
                .invalidRequest, phase: .preparing,
                message: "there is no transport to record over; hand one to the initializer")
        }
        return try await recorder.execute(request, context: context, over: transport)
    }

    private static func collect(
        _ make: @Sendable () throws -> any BodySource, _ context: CallContext
    ) async throws(NetError) -> Bytes {
        do {
            return try await ResponseBody(source: make()).collect(upTo: .max)
        } catch let error as NetError {
            throw error.filling(call: context.summary, elapsed: context.elapsed)
        } catch {
            throw context.error(
                .encoding, phase: .sending, message: "the body's stream cannot be made: \(error)", underlying: error)
        }
    }
}
