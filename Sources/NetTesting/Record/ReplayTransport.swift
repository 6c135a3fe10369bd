public import NetCore
internal import Synchronization

/// A transport that answers from a recording, and records where its mode lets it.
///
/// A live request is redacted like the recording before the two are compared, so hidden secrets do not keep them apart. A
/// request that nothing answers throws `.invalidRequest`, naming the nearest recorded exchange, its place in the file and
/// what differs. A streamed request body is read whole before it is compared. A recorded body that its reader left replays
/// as far as it was read; reading on throws `.unsupported`.
///
/// A recorded WebSocket plays the server's part: it sends a message once the client has sent all that came before it in the
/// recording, and ends as it did. A message that was not recorded ends it with `.invalidRequest`, as does a client that takes
/// 10 seconds more than it did then for what comes next. The WebSockets are in memory, so pings are answered.
///
/// ``ReplayEnvironment`` says how `NET_CASSETTES` and `CI` override the mode. docs/cassettes.md has the whole story.
///
///     let replay = try ReplayTransport(cassette: "Fixtures/user.json", over: CurlTransport())
///     let client = HTTPClient(baseURL: "https://api.example.com", transport: replay)
///     try await client.send(GetUser(id: 7))
///     try replay.save()
public final class ReplayTransport: HTTPTransport, WebSocketTransport {
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

    private let session: ReplaySession
    private let transport: (any HTTPTransport)?
    private let sockets: (any WebSocketTransport)?
    private let isShutDown = Atomic(false)

    /// Opens a cassette, or a HAR file where the name ends in `.har`.
    ///
    /// Throws `.decoding` for a file that cannot be read, saying where and what to do; the file is never changed then.
    /// Throws `.invalidRequest` where `NET_CASSETTES` names no mode.
    ///
    /// With a `reRecordInterval`, a cassette whose oldest exchange is older is recorded anew where there is a transport
    /// and the mode is ``Mode/once`` or ``Mode/newEpisodes``. As soon as that fails, or a server that was well then
    /// answers 429 or 5xx, the old recording answers from there on and stays; ``renewalFailure`` says why.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - mode: When to record. Default ``Mode/once``.
    ///   - transport: What carries the requests that are recorded. Default none: only replay.
    ///   - sockets: What opens the WebSockets that are recorded. Default none: only replay.
    ///   - rules: When a request is the recorded one.
    ///   - timing: Whether pauses are kept. Default none.
    ///   - redaction: What is hidden in the recording, and before comparing.
    ///   - reRecordInterval: How old a recording may be. Default nil: any age.
    ///   - maximumBodyBytes: How much of each body, and of the messages of each WebSocket, is recorded. Default 16 MiB.
    ///   - clock: What the age is measured on. Default the system's.
    ///   - environment: What overrides the mode. Default that of the process.
    public init(
        cassette path: String, mode: Mode = .once, over transport: (any HTTPTransport)? = nil,
        sockets: (any WebSocketTransport)? = nil, rules: ReplayRules = ReplayRules(), timing: Timing = .atOnce,
        redaction: RedactionPolicy = .safeDefault, reRecordInterval: Duration? = nil, maximumBodyBytes: Int = 16 << 20,
        clock: NetClock = .system,
        environment: ReplayEnvironment = .process
    ) throws(NetError) {
        var options = ReplaySession.Options(path: path)
        options.mode = mode
        options.rules = rules
        options.timing = timing
        options.redaction = redaction
        options.reRecordInterval = reRecordInterval
        options.maximumBodyBytes = maximumBodyBytes
        options.clock = clock
        options.environment = environment
        session = try ReplaySession(options, canRecord: transport != nil || sockets != nil)
        self.transport = transport
        self.sockets = sockets
    }

    /// The mode that counts, after the environment was asked.
    public var mode: Mode { session.mode }

    /// The recorded exchanges that have answered nothing yet, each with its place in the file.
    public var unusedExchanges: [String] { session.unusedExchanges }

    /// How many exchanges were recorded by this transport.
    public var recordedCount: Int { session.recordedCount }

    /// Why a recording that is too old is used all the same, for people; nil where it is not.
    public var renewalFailure: String? { session.renewalFailure }

    /// Throws `.invalidRequest`, naming every recorded exchange that has answered nothing.
    public func verify() throws(NetError) {
        let unused = unusedExchanges
        guard !unused.isEmpty else { return }
        throw NetError(
            .invalidRequest, phase: .preparing,
            message: "\(unused.count) recorded exchanges were not used; send their requests or remove them: "
                + unused.joined(separator: "; "))
    }

    /// Lets every recorded exchange answer once more, and forgets what this transport recorded.
    public func reset() { session.reset() }

    /// Writes what was recorded, after what the file held, or instead of it where everything was recorded anew; does
    /// nothing where nothing was recorded.
    ///
    /// What others have written to the file in the meantime is kept. The file is replaced whole; one that cannot be read
    /// as a cassette is left alone, and the error says where and why.
    public func save() throws(NetError) { try session.save() }

    public func execute(
        _ request: PreparedRequest, context: CallContext
    ) async throws(NetError) -> StreamedResponse {
        try checkLife(context)
        return try await session.execute(request, context: context, over: transport)
    }

    public func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening {
        try checkLife(context)
        return try await session.connect(request, context: context, over: sockets)
    }

    private func checkLife(_ context: CallContext) throws(NetError) {
        if isShutDown.load(ordering: .relaxed) {
            throw context.error(.shutdown, phase: .preparing, message: "the transport was shut down")
        }
    }

    public var contentCodings: [String] { transport?.contentCodings ?? [] }

    /// Shuts down the real transports; later calls throw `.shutdown`.
    public func shutdown() async {
        isShutDown.store(true, ordering: .relaxed)
        await transport?.shutdown()
        await sockets?.shutdown()
    }
}
