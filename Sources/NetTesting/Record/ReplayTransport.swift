public import NetCore
internal import Synchronization

/// A transport that responds from a recording, and records if its mode allows it.
///
/// A live request is redacted like the recording before the two are compared, so hidden secrets don't prevent a match.
/// A request without a match throws `.invalidRequest`, with a message that names the nearest recorded exchange, its
/// place in the file and the differences. A streamed request body is read completely before it is compared. A recorded
/// body that its consumer abandoned is replayed up to that point; reading further throws `.unsupported`.
///
/// A recorded WebSocket plays the server's part: it sends each message after the client has sent all messages that
/// precede it in the recording, and ends as it did then. A message that wasn't recorded ends the WebSocket with
/// `.invalidRequest`; so does a client whose next step takes 10 seconds longer than in the recording. Replayed
/// WebSockets are in memory, and respond to pings.
///
/// See ``ReplayEnvironment`` for the variables `NET_CASSETTES` and `CI`, which override the mode, and docs/cassettes.md
/// for a complete description.
///
///     let replay = try ReplayTransport(cassette: "Fixtures/user.json", over: CurlTransport())
///     let client = HTTPClient(baseURL: "https://api.example.com", transport: replay)
///     try await client.send(GetUser(id: 7))
///     try replay.save()
public final class ReplayTransport: HTTPTransport, WebSocketTransport {
    /// The recording mode.
    public enum Mode: Sendable, Hashable {
        /// Records if there is no file; otherwise only replays.
        case once
        /// Replays recorded exchanges and records all others.
        case newEpisodes
        /// Records everything again.
        case all
        /// Only replays; fails without a file.
        case none
    }

    /// The pauses of the replay, on the clock of the call.
    public enum Timing: Sendable, Hashable {
        /// No pauses.
        case immediate
        /// The pauses, times a factor: 0.1 is ten times as fast.
        case scaled(Double)
        /// The pauses as recorded.
        case real

        func applied(to pause: Duration) -> Duration {
            switch self {
            case .immediate: .zero
            case .scaled(let factor): factor.isFinite && factor > 0 ? pause * factor : .zero
            case .real: pause
            }
        }
    }

    private let session: ReplaySession
    private let transport: (any HTTPTransport)?
    private let sockets: (any WebSocketTransport)?
    private let isShutDown = Atomic(false)

    /// Opens a cassette, or a HAR file if the name ends in `.har`.
    ///
    /// Throws `.decoding` for a file that can't be read; the error has the position and how to fix it, and the file is
    /// left unchanged. Throws `.invalidRequest` if `NET_CASSETTES` isn't a mode.
    ///
    /// With a `reRecordInterval`, a cassette whose oldest exchange is older than that is recorded again, if there is a
    /// transport and the mode is ``Mode/once`` or ``Mode/newEpisodes``. If recording fails, or a server that was
    /// healthy then now responds with 429 or 5xx, the old recording is replayed from there on and stays unchanged;
    /// ``renewalFailure`` has the reason.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - mode: The recording mode. Default ``Mode/once``.
    ///   - transport: The transport for the requests that are recorded. Default nil: only replay.
    ///   - sockets: The transport for the WebSockets that are recorded. Default nil: only replay.
    ///   - rules: The rules for matching a request with a recorded one.
    ///   - timing: The pauses of the replay. Default none.
    ///   - redaction: The policy that hides values in the recording, and before comparing.
    ///   - reRecordInterval: The maximum age of a recording. Default nil: any age.
    ///   - maximumBodyBytes: The maximum number of bytes recorded of each body, and of the messages of each WebSocket.
    ///     Default 16 MiB.
    ///   - clock: The clock that measures the age. Default the system's.
    ///   - environment: The environment that overrides the mode. Default the environment of the process.
    public init(
        cassette path: String, mode: Mode = .once, over transport: (any HTTPTransport)? = nil,
        sockets: (any WebSocketTransport)? = nil, rules: ReplayRules = ReplayRules(), timing: Timing = .immediate,
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

    /// The effective mode, after applying the environment.
    public var mode: Mode { session.mode }

    /// The recorded exchanges that haven't been used yet, each with its place in the file.
    public var unusedExchanges: [String] { session.unusedExchanges }

    /// The number of exchanges that this transport has recorded.
    public var recordedCount: Int { session.recordedCount }

    /// The reason why an outdated recording is still used, for people; nil if it isn't.
    public var renewalFailure: String? { session.renewalFailure }

    /// Throws `.invalidRequest` if recorded exchanges were not used; the message names each one.
    public func verify() throws(NetError) {
        let unused = unusedExchanges
        guard !unused.isEmpty else { return }
        throw NetError(
            .invalidRequest, phase: .preparing,
            message: "\(unused.count) recorded exchanges were not used; send their requests or remove them: "
                + unused.joined(separator: "; "))
    }

    /// Makes every recorded exchange available again, and discards the exchanges that this transport recorded.
    public func reset() { session.reset() }

    /// Writes the recorded exchanges, after the file's content, or instead of it if everything was recorded again; does
    /// nothing if nothing was recorded.
    ///
    /// Changes that others have made to the file in the meantime are kept. The file is replaced atomically; if it can't
    /// be read as a cassette, it stays unchanged, and the error reports the position and the problem.
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
