#if canImport(Testing)
public import NetCore
internal import NetTesting

/// The cassette of the running test, as a transport: replays, and records over a real transport if the mode allows it.
///
/// Create it in a test with the trait `.cassette`, or in a test with the trait `.cassettes` on itself or its suite; in
/// the test's task or in a task that the test starts, but not in a detached one. It stays bound to that test. Without a
/// trait, every call throws `.invalidRequest`. Two of them in one test share the cassette, even if they record over
/// different transports.
///
///     import Testing
///
///     @Test(.cassette("users")) func readsAda() async throws {
///         let transport = CassetteTransport(over: CurlTransport())
///         let client = HTTPClient(baseURL: "https://api.example.com", transport: transport)
///         #expect(try await client.send(GetUser(id: 7)).name == "Ada")
///     }
public struct CassetteTransport: HTTPTransport, WebSocketTransport {
    private let scope: CassetteScope?
    private let part: String?
    private let transport: (any HTTPTransport)?
    private let sockets: (any WebSocketTransport)?

    /// Creates a transport for the cassette of the running test.
    ///
    /// - Parameters:
    ///   - part: The name of the case, for a test with arguments, such as `"\(id)"`. Each case has a separate file:
    ///     `Cassettes/users/7.json`. Default nil: the only cassette of a test without arguments.
    ///   - transport: The transport for the requests that are recorded. It is created only if something can be
    ///     recorded, so a test that only replays starts no threads. Default nil: only replay.
    ///   - sockets: The transport for the WebSockets that are recorded, also created only if needed. Default nil: only
    ///     replay.
    public init(
        case part: String? = nil, over transport: @autoclosure () -> (any HTTPTransport)? = nil,
        sockets: @autoclosure () -> (any WebSocketTransport)? = nil
    ) {
        scope = CassetteScope.current
        self.part = part
        let session = try? scope?.session(part: part, forCall: false).get()
        let canRecord = session?.canRecord == true
        self.transport = canRecord ? transport() : nil
        self.sockets = canRecord ? sockets() : nil
    }

    public func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        do {
            return try await session(context).execute(request, context: context, over: transport)
        } catch {
            throw error.filling(call: context.summary, elapsed: context.elapsed)
        }
    }

    public func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening {
        do {
            return try await session(context).connect(request, context: context, over: sockets)
        } catch {
            throw error.filling(call: context.summary, elapsed: context.elapsed)
        }
    }

    private func session(_ context: CallContext) throws(NetError) -> ReplaySession {
        guard let scope else {
            throw context.error(
                .invalidRequest, phase: .preparing,
                message: "this test has no cassette: give it the trait .cassette(\"name\"), or its suite "
                    + ".cassettes(in: \"name\"), and create the CassetteTransport in the test's own task")
        }
        return try scope.session(part: part, forCall: true).get()
    }

    public var contentCodings: [String] { transport?.contentCodings ?? [] }

    public var connectionIdentity: (any IdentitySource)? { transport?.connectionIdentity }

    /// Shuts down the transports used for recording.
    public func shutdown() async {
        await transport?.shutdown()
        await sockets?.shutdown()
    }
}
#endif
