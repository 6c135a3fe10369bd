public import NetCore
package import NetRecord

/// A transport that records what passes through another one, for a ``ReplayTransport`` or as HAR.
///
/// Bodies are recorded while they are read, failures too; a body that the reader leaves is recorded as far as it came, and
/// replays that far: who reads on gets an error.
/// Secrets are hidden before anything is kept: fields, query items, form fields and JSON members, as the policy names
/// them.
///
///     let recording = RecordingTransport(transport)
///     let client = HTTPClient(baseURL: "https://api.example.com", transport: recording)
///     try await client.send(GetUser(id: 7))
///     try recording.write(to: "Fixtures/user.json")
///
/// WebSockets are recorded into the same file: the messages that were sent and received, and how each WebSocket ended. One
/// that is open when the file is written is recorded as far as it came. Pings and pongs are not recorded. A secret of the
/// handshake, or of JSON that the client has sent, is hidden in every message; the reason of a closing handshake is hidden
/// whole.
///
///     let both = RecordingTransport(transport, sockets: MockWebSocketTransport([.echo()]))
///     let socket = try await WebSocketClient(transport: both).connect("wss://api.example.com/echo")
public final class RecordingTransport: HTTPTransport, WebSocketTransport {
    private let transport: (any HTTPTransport)?
    private let sockets: (any WebSocketTransport)?
    private let recorder: Recorder

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - transport: What carries the requests. Default nil: WebSockets alone are recorded.
    ///   - sockets: What opens the WebSockets. Default nil: a handshake throws `.invalidRequest`.
    ///   - redaction: What is hidden. Default ``RedactionPolicy/safeDefault``.
    ///   - maximumBodyBytes: How much of each body, and of the messages of each WebSocket, is recorded. Default 16 MiB; the
    ///     reader gets all of it.
    public init(
        _ transport: (any HTTPTransport)? = nil, sockets: (any WebSocketTransport)? = nil,
        redaction: RedactionPolicy = .safeDefault, maximumBodyBytes: Int = 16 << 20
    ) {
        self.transport = transport
        self.sockets = sockets
        recorder = Recorder(redaction: redaction, maximumBodyBytes: maximumBodyBytes)
    }

    /// How many exchanges are recorded: those that have ended, and open WebSockets.
    public var recordedCount: Int { recorder.exchanges.count }

    package var cassette: Cassette { Cassette(recorder.exchanges) }

    /// Forgets what was recorded so far, and what is still under way.
    public func reset() { recorder.reset() }

    /// Writes what was recorded, in the order of sending: HAR 1.2 where the name ends in `.har`, else a cassette.
    ///
    /// The file is replaced whole. One that cannot be read as a cassette is left alone; the error says where and why.
    public func write(to path: String) throws(NetError) {
        do { try cassette.write(to: path) } catch { throw NetError(error) }
    }

    public func execute(
        _ request: PreparedRequest, context: CallContext
    ) async throws(NetError) -> StreamedResponse {
        guard let transport else {
            throw context.error(
                .invalidRequest, phase: .preparing,
                message: "there is no transport for requests; hand one to the initializer")
        }
        return try await recorder.execute(request, context: context, over: transport)
    }

    public func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening {
        guard let sockets else {
            throw context.error(
                .invalidRequest, phase: .preparing,
                message: "there is no transport for WebSockets; hand one to the initializer as `sockets`")
        }
        return try await recorder.connect(request, context: context, over: sockets)
    }

    public var contentCodings: [String] { transport?.contentCodings ?? [] }

    public func shutdown() async {
        await transport?.shutdown()
        await sockets?.shutdown()
    }
}

extension NetError {
    init(_ error: RecordFileError) {
        self.init(.decoding, phase: .preparing, message: error.description, underlying: error)
    }
}
