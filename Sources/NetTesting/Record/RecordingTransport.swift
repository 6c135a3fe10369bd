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
public final class RecordingTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let recorder: Recorder

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - transport: What carries the requests.
    ///   - redaction: What is hidden. Default ``RedactionPolicy/safeDefault``.
    ///   - maximumBodyBytes: How much of each body is recorded. Default 16 MiB; the reader gets all of it.
    public init(
        _ transport: any HTTPTransport, redaction: RedactionPolicy = .safeDefault, maximumBodyBytes: Int = 16 << 20
    ) {
        self.transport = transport
        recorder = Recorder(redaction: redaction, maximumBodyBytes: maximumBodyBytes)
    }

    /// How many exchanges have ended and are recorded.
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
        try await recorder.execute(request, context: context, over: transport)
    }

    public var contentCodings: [String] { transport.contentCodings }

    public func shutdown() async { await transport.shutdown() }
}

extension NetError {
    init(_ error: RecordFileError) {
        self.init(.decoding, phase: .preparing, message: error.description, underlying: error)
    }
}
