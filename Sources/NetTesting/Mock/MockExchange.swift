internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// One attempt against a mock: reads the request's body, runs a stub, enforces the timeouts.
struct MockExchange: Sendable {
    let transport: MockTransport
    let request: PreparedRequest
    let context: CallContext
    private let progress: MockProgress?

    init(transport: MockTransport, request: PreparedRequest, context: CallContext) {
        self.transport = transport
        self.request = request
        self.context = context
        progress = MockProgress(request, context)
    }

    private var clock: NetClock { context.environment.clock }

    func run() async throws -> StreamedResponse {
        do {
            return try await exchanged()
        } catch {
            progress?.close()
            throw error
        }
    }

    private func exchanged() async throws -> StreamedResponse {
        try Task.checkCancellation()
        var stub = StubRequest(
            method: request.head.method, target: request.head.path ?? "/", authority: request.head.authority ?? "",
            headers: request.head.headerFields)
        stub.redaction = stub.redaction.joined(with: request.options.redaction)
        if let respond = transport.respond {
            stub.body = try await collectBody()
            transport.table.record(stub)
            return try await answer(to: stub) { [request, context] in try await respond(request, context) }
        }
        switch transport.table.plan(stub) {
        case .stream(let match):
            transport.table.record(match.request)
            return try await answer(to: stub, match, StubBodyReader(openBody()))
        case .collect:
            stub.body = try await collectBody()
            let match = try findMatch(stub)
            return try await answer(to: stub, match, StubBodyReader(ResponseBody(stub.body)))
        case .miss(let miss):
            transport.table.record(stub)
            throw miss
        }
    }

    private func findMatch(_ stub: StubRequest) throws(StubMiss) -> StubTable.Match {
        do throws(StubMiss) {
            let match = try transport.table.match(stub)
            transport.table.record(match.request)
            return match
        } catch {
            transport.table.record(stub)
            throw error
        }
    }

    // MARK: The request's body

    private func openBody() throws -> ResponseBody {
        switch request.body {
        case .none: return ResponseBody()
        case .bytes(let bytes):
            progress?.sent(Int64(bytes.count), isAll: false)
            return ResponseBody(bytes)
        case .stream(let length, _, let make):
            let body = MeasuredBodySource.measuring(try make(), length)
            return ResponseBody(source: MockUploadSource.reporting(body, progress))
        }
    }

    private func collectBody() async throws -> Bytes {
        let body = try openBody()
        if let whole = body.whole { return whole }
        return try await limited(by: context.timeLeft, phase: .sending, "the call did not finish in time") {
            try await body.collect(upTo: .max)
        }
    }

    // MARK: Responding

    private func answer(
        to stub: StubRequest, _ match: StubTable.Match, _ body: StubBodyReader
    ) async throws -> StreamedResponse {
        try await answer(to: stub) {
            switch match.stub.answer {
            case .fixed(let response): response
            case .made(let make): try await make(match.request)
            case .streaming(let make): try await make(match.request, body)
            }
        }
    }

    private func answer(
        to stub: StubRequest, _ make: @escaping @Sendable () async throws -> StubResponse
    ) async throws -> StreamedResponse {
        let sent = clock.now()
        let response = try await limited(by: firstByteLeft(since: sent), phase: .waiting, timeoutMessage, make)
        try await pause(response.delay, atMost: firstByteLeft(since: sent))
        if let failure = response.fault?.failureBeforeHead {
            throw context.error(failure.code, phase: failure.phase, message: failure.message)
        }
        if let drop = response.drop, drop.bodyLimit == nil {
            try await pause(.untilGivenUp, atMost: firstByteLeft(since: sent))
        }
        return try await deliver(response)
    }

    private var timeoutMessage: String { "the first byte of the response did not arrive in time" }

    /// The remaining time of the first-byte timeout or the total timeout, whichever is less.
    private func firstByteLeft(since sent: Duration) -> Duration? {
        let firstByte = context.timeouts.firstByte.map { $0 - (clock.now() - sent) }
        return [firstByte, context.timeLeft].compactMap(\.self).min()
    }

    private func pause(_ delay: Duration, atMost limit: Duration?) async throws {
        guard let limit, delay > limit else { return try await clock.sleep(for: delay) }
        try await clock.sleep(for: limit)
        throw context.error(.timeout, phase: .waiting, message: timeoutMessage)
    }

    private func limited<Value: Sendable>(
        by limit: Duration?, phase: NetError.Phase, _ message: String,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let context = context
        return try await CancellableWork.run(within: limit, on: clock) {
            context.error(.timeout, phase: phase, message: message)
        } _: {
            try await work()
        }
    }

    // MARK: The response

    private func deliver(_ response: StubResponse) async throws -> StreamedResponse {
        let code = response.status.code
        let allowsBody = request.head.method != .head && code >= 200 && code != 204 && code != 304
        let opened: StubBody.Opened
        do {
            opened = try response.body.open()
        } catch let error as NetError {
            throw error
        } catch {
            throw context.error(
                .encoding, phase: .receiving,
                message: "the body of the stub's response cannot be made: \(ErrorSummary.describe(error))",
                underlying: error)
        }
        let length = opened.length
        let response = response.applyingHeadFault(target: request.head.path ?? "/", bodyLength: length)
        var head = ResponseHead(status: response.status, version: "1.1", headers: response.headers)
        if let length, head.headers[.contentLength] == nil, code >= 200, code != 204, code != 304 {
            head.headers[.contentLength] = String(length)
        }
        let source = MockBodySource(
            allowsBody ? opened : .whole(Bytes()), response: response,
            promised: allowsBody ? head[.contentLength] : nil, requestBytes: request.bodyLength ?? 0,
            progress: progress, context: context)
        switch context.delivery {
        case .streamed:
            return StreamedResponse(head: head, body: ResponseBody(source: source))
        case .drained(let count):
            return StreamedResponse(
                head: head, body: try await ResponseBody(source: source).drained(keeping: count))
        case .collected(let limit):
            let bytes = try await ResponseBody(source: source).collect(upTo: limit)
            return StreamedResponse(
                head: head, body: ResponseBody(bytes, metrics: source.metrics, trailers: source.trailers))
        }
    }
}

extension CallContext {
    /// The time left until the deadline, never negative; nil without a deadline.
    var timeLeft: Duration? { deadline.map { max(.zero, $0 - environment.clock.now()) } }
}

extension Duration {
    /// A pause that ends only by a timeout or cancellation: three years.
    static let untilGivenUp = Duration.seconds(100_000_000)
}
