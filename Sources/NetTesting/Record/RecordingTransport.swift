public import NetCore
package import NetRecord

/// A transport that records the exchanges of another transport, for a ``ReplayTransport`` or as HAR.
///
/// Bodies are recorded while they are read; failures are recorded too. If the consumer abandons a body, the recording
/// contains it only up to that point, and so does the replay; reading further throws an error. Secrets are hidden
/// before anything is kept: header fields, query items, form fields and JSON members, as defined by the policy.
///
///     let recording = RecordingTransport(transport)
///     let client = HTTPClient(baseURL: "https://api.example.com", transport: recording)
///     try await client.send(GetUser(id: 7))
///     try recording.write(to: "Fixtures/user.json")
///
/// WebSockets are recorded in the same file: the messages in both directions, and the end of each WebSocket. A
/// WebSocket that is open when the file is written is recorded up to that point. Pings and pongs aren't recorded.
/// Secrets of the handshake, or of JSON that the client has sent, are hidden in every message; the reason of a closing
/// handshake is always hidden.
///
///     let both = RecordingTransport(transport, sockets: MockWebSocketTransport([.echo()]))
///     let socket = try await WebSocketClient(transport: both).connect("wss://api.example.com/echo")
public final class RecordingTransport: HTTPTransport, WebSocketTransport {
    private let transport: (any HTTPTransport)?
    private let sockets: (any WebSocketTransport)?
    private let recorder: Recorder

    /// Creates a recording transport.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests. Default nil: only WebSockets are recorded.
    ///   - sockets: The transport that opens the WebSockets. Default nil: a handshake throws `.invalidRequest`.
    ///   - redaction: The policy that hides secrets. Default ``RedactionPolicy/safeDefault``.
    ///   - maximumBodyBytes: The maximum number of bytes recorded of each body, and of the messages of each WebSocket.
    ///     Default 16 MiB; the consumer receives everything.
    public init(
        _ transport: (any HTTPTransport)? = nil, sockets: (any WebSocketTransport)? = nil,
        redaction: RedactionPolicy = .safeDefault, maximumBodyBytes: Int = 16 << 20
    ) {
        self.transport = transport
        self.sockets = sockets
        recorder = Recorder(redaction: redaction, maximumBodyBytes: maximumBodyBytes)
    }

    /// The number of recorded exchanges: finished ones and open WebSockets.
    public var recordedCount: Int { recorder.exchanges.count }

    package var cassette: Cassette { Cassette(recorder.exchanges) }

    /// Discards all recordings so far, including those in progress.
    public func reset() { recorder.reset() }

    /// Writes the recording in the order of sending: HAR 1.2 if the name ends in `.har`, otherwise a cassette.
    ///
    /// Replaces the file atomically. If the existing file can't be read as a cassette, it stays unchanged, and the
    /// error reports the position and the problem.
    public func write(to path: String) throws(NetError) {
        do { try cassette.write(to: path) } catch { throw NetError(error) }
    }

    public func execute(
        _ request: PreparedRequest, context: CallContext
    ) async throws(NetError) -> StreamedResponse {
        guard let transport else {
            throw context.error(
                .invalidRequest, phase: .preparing,
                message: "there is no transport for requests; pass one to the initializer")
        }
        return try await recorder.execute(request, context: context, over: transport)
    }

    public func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening {
        guard let sockets else {
            throw context.error(
                .invalidRequest, phase: .preparing,
                message: "there is no transport for WebSockets; pass one to the initializer as `sockets`")
        }
        return try await recorder.connect(request, context: context, over: sockets)
    }

    public var contentCodings: [String] { transport?.contentCodings ?? [] }

    public var connectionIdentity: (any IdentitySource)? { transport?.connectionIdentity }

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
