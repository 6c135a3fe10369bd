#if os(Linux) && Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Every way in which a call can end: it begins once and ends once, and leaves no call, transfer or task behind.
@Suite(.timeLimit(.minutes(2))) struct CallEndTableTests {
    /// One way of ending, and the event that reports it.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let end: String
        let code: NetError.Code?
        let act: @Sendable (World) async throws -> Void

        init(
            _ name: String, _ end: String, _ code: NetError.Code? = nil,
            _ act: @escaping @Sendable (World) async throws -> Void
        ) {
            (testDescription, self.end, self.code, self.act) = (name, end, code, act)
        }
    }

    /// A server, and two clients that report to one log.
    struct World: Sendable {
        let server: TestServer
        let http: HTTPClient
        let sockets: WebSocketClient
        let log: EventLog

        func get<Value: Sendable>(_ path: Path, _ serializer: ResponseSerializer<Value>) async throws {
            try await http.send(Request(path, serializer: serializer))
        }

        /// Sends with other settings.
        func get(_ path: Path, with change: (inout HTTPClient.Configuration) -> Void) async throws {
            _ = try await http.with(change).send(Request<Bytes>(path, serializer: .bytes))
        }

        /// Runs `call`, and calls a closure once it has begun.
        func interrupt(
            _ call: @escaping @Sendable () async throws -> Void, by act: @Sendable (Task<Void, any Error>) async -> Void
        ) async throws {
            let task = Task { try await call() }
            while !log.names.contains("started"), !Task.isCancelled { await Task.yield() }
            await act(task)
            try await task.value
        }
    }

    private struct Refused: Error {}

    private struct Failing: Middleware, RequestModifier {
        func intercept(_: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
            throw Refused()
        }
        func modify(_ request: inout PreparedRequest) throws { throw Refused() }
    }

    /// Ignores the end of the call.
    private struct Stubborn: Middleware {
        func intercept(_: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
            for _ in 0..<40 { try? await Task.detached { try await Task.sleep(for: .milliseconds(10)) }.value }
            return StreamedResponse(head: ResponseHead(status: .ok))
        }
    }

    private struct NoToken: CredentialProvider {
        func credential(for request: PreparedRequest) async throws -> Credential? { throw Refused() }
    }

    struct Declared: APIRequest {
        struct Failure: Decodable, Sendable { let reason: String }
        typealias Response = Void
        let path: Path = "declared"
    }

    static let rows =
        values + rejections + failures + interruptions + preparations + handshakes

    static let values = [
        Row("a value", "completed") { try await $0.get("text", .string) },
        Row("an empty value", "completed") { try await $0.get("empty", .empty) },
        Row("a stream that is read", "completed") { world in
            let body = try await world.http.stream(Request<Bytes>("text", serializer: .bytes)).body
            _ = try await body.collect(upTo: 100)
        },
        Row("a stream that is dropped", "cancelled") { world in
            _ = try await world.http.stream(Request<Bytes>("long", serializer: .bytes))
        },
        Row("a stream that is cancelled", "cancelled") { world in
            try await world.http.stream(Request<Bytes>("long", serializer: .bytes)).body.cancel()
        },
        Row("a redirect that is followed", "completed") { try await $0.get("moved", .string) },
    ]

    static let rejections = [
        Row("a declared failure", "rejected") { world in
            do throws(APIError<Declared.Failure>) {
                try await world.http.send(Declared())
            } catch {
                guard case .rejected = error else { throw error }
            }
        },
        Row("another status", "rejected", .unacceptableStatus) { try await $0.get("nowhere", .string) },
        Row("another status of a stream", "rejected", .unacceptableStatus) { world in
            _ = try await world.http.stream(Request<Bytes>("nowhere", serializer: .bytes))
        },
    ]

    static let failures = [
        Row("a body that is no JSON", "failed", .decoding) { world in
            try await world.http.send(Request<[Int]>("text"))
        },
        Row("a body that is too long", "failed", .bodyTooLarge) { world in
            var request = Request<Bytes>("text", serializer: .bytes)
            request.options.maximumResponseBytes = 1
            try await world.http.send(request)
        },
        Row("a lost connection", "failed", .connectionLost) { try await $0.get("lost", .string) },
        Row("nobody listens", "failed", .connect) { world in
            let closed = try ClosedPort()
            try await world.http.send(Request<String>(url: closed.baseURL))
        },
        Row("the total timeout", "failed", .timeout) { world in
            try await world.get("hang") { $0.timeouts = .total(.milliseconds(50)) }
        },
        Row("the total timeout of a stream", "failed", .timeout) { world in
            let client = world.http.with { $0.timeouts = .total(.milliseconds(100)) }
            _ = try await client.stream(Request<Bytes>("stalls", serializer: .bytes)).body.collect(upTo: 100)
        },
        Row("the total timeout in a middleware that ignores it", "failed", .timeout) { world in
            try await world.get("text") { configuration in
                configuration.timeouts = .total(.milliseconds(50))
                configuration.middleware = [Stubborn()]
            }
        },
        Row("too many redirects", "failed", .redirect) { world in
            try await world.get("circle") { $0.redirects = .follow(limit: 3) }
        },
        Row("a middleware that throws", "failed", .middleware) { world in
            try await world.get("text") { $0.middleware = [Failing()] }
        },
        Row("no credential", "failed", .middleware) { world in
            try await world.get("text") { $0.middleware = [AuthMiddleware(NoToken()), RetryMiddleware()] }
        },
        Row("retries used up", "rejected", .unacceptableStatus) { world in
            try await world.get("busy") {
                $0.middleware = [RetryMiddleware(RetryPolicy(backoff: .constant(.zero)))]
            }
        },
    ]

    static let interruptions = [
        Row("its task is cancelled", "cancelled", .cancelled) { world in
            try await world.interrupt({ try await world.get("hang", .string) }) { $0.cancel() }
        },
        Row("its task is cancelled in a pause", "cancelled", .cancelled) { world in
            let retry = RetryMiddleware(RetryPolicy(backoff: .constant(.seconds(60))))
            try await world.interrupt({ try await world.get("busy") { $0.middleware = [retry] } }) { task in
                while !world.log.names.contains("retrying"), !Task.isCancelled { await Task.yield() }
                task.cancel()
            }
        },
        Row("the client cancels", "cancelled", .cancelled) { world in
            try await world.interrupt({ try await world.get("hang", .string) }) { _ in world.http.cancelAll() }
        },
        Row("the client is shut down", "failed", .shutdown) { world in
            try await world.interrupt({ try await world.get("hang", .string) }) { _ in await world.http.shutdown() }
        },
        Row("the client was shut down", "failed", .shutdown) { world in
            await world.http.shutdown()
            try await world.get("text", .string)
        },
        Row("the client cancels a stream", "cancelled", .cancelled) { world in
            let body = try await world.http.stream(Request<Bytes>("stalls", serializer: .bytes)).body
            world.http.cancelAll()
            _ = try await body.collect(upTo: 100)
        },
    ]

    static let preparations = [
        Row("a request that is none", "failed", .invalidRequest) { world in
            try await world.http.send(Request<String>(url: "no URL"))
        },
        Row("a stream that is none", "failed", .invalidRequest) { world in
            _ = try await world.http.stream(Request<String>(url: "no URL"))
        },
        Row("a body that can't be encoded", "failed", .encoding) { world in
            try await world.http.send(Request<String>("x", method: .post, body: .json(Double.nan)))
        },
        Row("a modifier that throws", "failed", .middleware) { world in
            try await world.get("text") { $0.modifiers = [Failing()] }
        },
        Row("a prepared request that can't be sent", "failed", .invalidRequest) { world in
            var request = try world.http.prepare(Request<String>("x"))
            request.head.path = "no slash"
            _ = try await world.http.raw(prepared: request)
        },
        Row("a raw request that is none", "failed", .invalidRequest) { world in
            _ = try await world.http.raw(Request<String>(url: "ftp://h/"))
        },
    ]

    static let handshakes = [
        Row("a handshake", "completed") { world in
            let socket = try await world.sockets.connect(WebSocketRequest("echo"))
            await socket.close()
        },
        Row("a handshake that is refused", "rejected", .unacceptableStatus) { world in
            _ = try await world.sockets.connect(WebSocketRequest("nowhere"))
        },
        Row("a handshake that is no URL", "failed", .invalidRequest) { world in
            _ = try await world.sockets.connect("mailto:ann")
        },
        Row("a handshake that nobody answers", "failed", .timeout) { world in
            var request = WebSocketRequest("hang")
            request.options.timeouts = .total(.milliseconds(50))
            _ = try await world.sockets.connect(request)
        },
        Row("a handshake that takes too long to connect", "failed", .timeout) { world in
            var request = WebSocketRequest("hang")
            request.options.timeouts = Timeouts(connect: .milliseconds(50))
            _ = try await world.sockets.connect(request)
        },
        Row("a handshake whose task is cancelled", "cancelled", .cancelled) { world in
            try await world.interrupt({ _ = try await world.sockets.connect(WebSocketRequest("hang")) }) { $0.cancel() }
        },
        Row("a handshake that the client cancels", "cancelled", .cancelled) { world in
            try await world.interrupt({ _ = try await world.sockets.connect(WebSocketRequest("hang")) }) { _ in
                world.sockets.cancelAll()
            }
        },
        Row("a handshake that the shutdown ends", "failed", .shutdown) { world in
            try await world.interrupt({ _ = try await world.sockets.connect(WebSocketRequest("hang")) }) { _ in
                await world.sockets.shutdown()
            }
        },
        Row("a handshake after the shutdown", "failed", .shutdown) { world in
            await world.sockets.shutdown()
            _ = try await world.sockets.connect(WebSocketRequest("echo"))
        },
        Row("a handshake that a middleware fails", "failed", .middleware) { world in
            var request = WebSocketRequest("echo")
            request.options.middleware = [Failing()]
            _ = try await world.sockets.connect(request)
        },
        Row("a handshake that a middleware answers", "rejected", .unacceptableStatus) { world in
            var request = WebSocketRequest("echo")
            request.options.middleware = [Answering()]
            _ = try await world.sockets.connect(request)
        },
        Row("a handshake in a middleware that ignores the end", "failed", .timeout) { world in
            var request = WebSocketRequest("echo")
            request.options.middleware = [Stubborn()]
            request.options.timeouts = .total(.milliseconds(50))
            _ = try await world.sockets.connect(request)
        },
    ]

    private struct Answering: Middleware {
        func intercept(_: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
            StreamedResponse(head: ResponseHead(status: .switchingProtocols))
        }
    }

    private static let stubs = [
        Stub(.get, "/text", .text("hello")), Stub(.get, "/empty", .status(.noContent)), .pattern("/long"),
        Stub(.get, "/moved", .status(.found).header(.location, "/text")),
        Stub(.get, "/circle", .status(.found).header(.location, "/circle")),
        Stub(.get, "/declared", .json(["reason": "no"], status: .conflict)),
        Stub(.get, "/lost", .dropped()), Stub(.get, "/busy", .status(.serviceUnavailable)),
        Stub(.get, "/hang", .text("late").delayed(by: .seconds(30))),
        Stub(.get, "/stalls", .chunks(["a", StubChunk("b", after: .seconds(30))])),
    ]

    private static func withWorld(_ body: (World) async throws -> Void) async throws {
        let log = EventLog()
        let server = try await TestServer.start(stubs, webSockets: [.echo()])
        var transport = CurlTransport.Configuration()
        transport.proxy = .none
        var sockets = CurlWebSocketTransport.Configuration()
        sockets.proxy = .none
        let base = server.baseURL
        let world = World(
            server: server,
            http: HTTPClient(
                configuration: .init(baseURL: base, listeners: [log]),
                transport: CurlTransport(configuration: transport)),
            sockets: WebSocketClient(
                configuration: .init(baseURL: base, listeners: [log]),
                transport: CurlWebSocketTransport(configuration: sockets)), log: log)
        do {
            try await body(world)
        } catch {
            await world.http.shutdown()
            await world.sockets.shutdown()
            await server.stop()
            throw error
        }
        await world.http.shutdown()
        await world.sockets.shutdown()
        await server.stop()
    }

    @Test(arguments: rows) func itBeginsOnceAndEndsOnce(_ row: Row) async throws {
        // The counts of the check: calls, transfers, open WebSockets. Abandoned work has ended by then as well.
        try await LeakCheck.run {
            try await Self.withWorld { world in
                var found: NetError?
                do {
                    try await row.act(world)
                } catch {
                    found = NetError(error)
                    #expect(found != nil, "\(error)")
                }
                #expect(found?.code == row.code, "\(found as Any)")
                let ended = await eventually { world.log.names.contains(row.end) }
                #expect(ended)
                let names = world.log.names
                #expect(names.first == "started")
                #expect(names.count { $0 == "started" } == 1)
                #expect(names.filter { ["completed", "rejected", "failed", "cancelled"].contains($0) } == [row.end])
                #expect(names.last == row.end)
                let isIdle = await eventually { world.http.unfinishedCalls + world.sockets.unfinishedCalls == 0 }
                #expect(isIdle)
                // The error and the events belong to the same call.
                let calls = Set(world.log.all.map(\.call))
                #expect(calls.count == 1)
                if let call = found?.call { #expect(calls == [call.id]) }
            }
        }
    }
}
#endif
