internal import HTTPTypes
internal import NetCore
internal import NetRecord
internal import Synchronization

/// Carries requests over a real transport and keeps, redacted, what passed: the part that recording and replaying share.
final class Recorder: Sendable {
    private struct State {
        var next = 0
        /// What began until then is not wanted any more.
        var forgotten = 0
        var exchanges: [Int: RecordedExchange] = [:]
        /// WebSockets that are open.
        var open: [Int: @Sendable () -> RecordedExchange] = [:]
    }

    /// Types whose pieces are events: only there the pauses are kept.
    private static let timedTypes = ["text/event-stream", "application/x-ndjson", "application/jsonl"]

    let redaction: RedactionPolicy
    private let maximumBodyBytes: Int
    private let state = Mutex(State())

    init(redaction: RedactionPolicy, maximumBodyBytes: Int) {
        self.redaction = redaction
        self.maximumBodyBytes = max(0, maximumBodyBytes)
    }

    /// The finished exchanges, and open WebSockets as far as they came, in the order in which their requests were sent.
    var exchanges: [RecordedExchange] {
        let (finished, open) = state.withLock { ($0.exchanges, $0.open) }
        return finished.merging(open.mapValues { $0() }) { finished, _ in finished }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    /// Forgets what was recorded, and what is still under way.
    func reset() {
        state.withLock { state in
            state.exchanges = [:]
            state.open = [:]
            state.forgotten = state.next
        }
    }

    func execute(
        _ request: PreparedRequest, context: CallContext, over transport: any HTTPTransport
    ) async throws(NetError) -> StreamedResponse {
        let take = Take(recorder: self, request: request, clock: context.environment.clock, limit: maximumBodyBytes)
        do {
            let response = try await transport.execute(take.taped(request), context: context)
            return take.tape(response)
        } catch {
            if !error.isCancellation { take.fail(error) }
            throw error
        }
    }

    func connect(
        _ request: PreparedRequest, context: CallContext, over transport: any WebSocketTransport
    ) async throws(NetError) -> WebSocketOpening {
        let take = Take(recorder: self, handshake: request, clock: context.environment.clock, limit: maximumBodyBytes)
        do {
            switch try await transport.connect(request, context: context) {
            case .opened(let link): return .opened(take.tape(link))
            case .refused(let response): return .refused(take.tape(response))
            }
        } catch {
            if !error.isCancellation { take.fail(error) }
            throw error
        }
    }

    fileprivate func begin() -> Int {
        state.withLock { state in
            state.next += 1
            return state.next
        }
    }

    fileprivate func finish(_ id: Int, _ exchange: RecordedExchange) {
        state.withLock { state in
            state.open[id] = nil
            if id > state.forgotten { state.exchanges[id] = exchange }
        }
    }

    fileprivate func open(_ id: Int, _ exchange: @escaping @Sendable () -> RecordedExchange) {
        state.withLock { state in
            if id > state.forgotten { state.open[id] = exchange }
        }
    }

    fileprivate static func isTimed(_ contentType: String?) -> Bool {
        timedTypes.contains((contentType ?? "").prefix { $0 != ";" }.lowercased())
    }
}

/// The recording of one attempt.
private struct Take: Sendable {
    private let recorder: Recorder
    private let id: Int
    private let clock: NetClock
    private let limit: Int
    private let start: Duration
    private let requestTape: BodyTape
    private let blank: RecordedExchange
    /// The subprotocol that contains a secret.
    private let secret: String?

    init(recorder: Recorder, request: PreparedRequest, clock: NetClock, limit: Int) {
        self.init(
            recorder, .init(method: request.head.method, url: request.url, headers: request.head.headerFields),
            secret: nil, clock, limit)
        if case .bytes(let bytes) = request.body { requestTape.append(bytes) }
    }

    init(recorder: Recorder, handshake: PreparedRequest, clock: NetClock, limit: Int) {
        self.init(
            recorder, .init(handshake: handshake), secret: handshake.options.webSocket?.secretSubprotocol, clock, limit)
    }

    private init(
        _ recorder: Recorder, _ request: RecordedExchange.Request, secret: String?, _ clock: NetClock, _ limit: Int
    ) {
        self.recorder = recorder
        self.clock = clock
        self.limit = limit
        self.secret = secret
        id = recorder.begin()
        start = clock.now()
        requestTape = BodyTape(limit: limit, clock: clock)
        blank = RecordedExchange(
            recordedAt: clock.date(), duration: .zero, request: request,
            outcome: .failure(.init(code: "", message: "")))
    }

    /// The request, a streamed body with a tape behind it.
    func taped(_ request: PreparedRequest) -> PreparedRequest {
        guard case .stream(let length, let isReplayable, let make) = request.body else { return request }
        var copy = request
        requestTape.start()
        copy.body = .stream(length: length, isReplayable: isReplayable) { [requestTape] in
            requestTape.start()
            return TapedBodySource(ResponseBody(source: try make()), tape: requestTape) { error in
                if error == nil { requestTape.end() }
            }
        }
        return copy
    }

    /// The response, an arriving body with a tape behind it.
    func tape(_ response: StreamedResponse) -> StreamedResponse {
        let duration = clock.now() - start
        let tape = BodyTape(limit: limit, clock: clock)
        if let whole = response.body.whole {
            tape.append(whole)
            finish(
                .response(recorded(response.head, tape.body(isTimed: false), response.body.trailers)), after: duration)
            return response
        }
        let (head, body, isTimed) = (response.head, response.body, Recorder.isTimed(response.head[.contentType]))
        let source = TapedBodySource(body, tape: tape) { error in
            let failure = isWhole(head, tape.count) && error?.isCancellation == true ? nil : error
            let recorded = recorded(head, tape.body(isTimed: isTimed, failure: failure), body.trailers)
            finish(.response(recorded), after: duration)
        }
        return StreamedResponse(head: response.head, body: ResponseBody(source: source))
    }

    /// The WebSocket, with a tape behind it.
    func tape(_ link: any WebSocketLink) -> any WebSocketLink {
        let duration = clock.now() - start
        let (head, tape) = (link.response, SocketTape(limit: limit, clock: clock))
        let exchange = { @Sendable in
            let response = RecordedExchange.Response(
                status: head.status, version: head.version, headers: head.headers, socket: tape.socket)
            return self.exchange(.response(response), after: duration)
        }
        recorder.open(id, exchange)
        return RecordingLink(link, tape: tape) { [recorder, id] in recorder.finish(id, exchange()) }
    }

    /// Whether nothing is missing, though the reader did not wait for the end.
    private func isWhole(_ head: ResponseHead, _ count: Int) -> Bool {
        let code = head.status.code
        if blank.request.method == .head || code == 204 || code == 304 { return true }
        return head[.contentLength].flatMap { Int($0) } == count
    }

    func fail(_ error: NetError) {
        finish(.failure(.init(code: error.code.rawValue, message: error.message)), after: clock.now() - start)
    }

    private func recorded(
        _ head: ResponseHead, _ body: RecordedBody, _ trailers: HTTPFields?
    ) -> RecordedExchange.Response {
        var response = RecordedExchange.Response(
            status: head.status, version: head.version, headers: head.headers, body: body, trailers: trailers)
        response.dropDecodedCoding()
        return response
    }

    private func finish(_ outcome: RecordedExchange.Outcome, after duration: Duration) {
        recorder.finish(id, exchange(outcome, after: duration))
    }

    /// The exchange without secrets.
    private func exchange(_ outcome: RecordedExchange.Outcome, after duration: Duration) -> RecordedExchange {
        var exchange = blank
        exchange.duration = duration
        exchange.request.body = requestTape.body(isTimed: false)
        exchange.outcome = outcome
        return recorder.redaction.redact(exchange, subprotocol: secret)
    }
}

extension RecordedExchange.Request {
    /// The opening handshake of a WebSocket, with a URL that shows that it is one, and the subprotocols that it offers.
    init(handshake request: PreparedRequest) {
        var headers = request.head.headerFields
        let offered = request.options.webSocket?.offeredSubprotocols ?? []
        if !offered.isEmpty { headers[.secWebSocketProtocol] = offered.joined(separator: ", ") }
        let url = request.url
        let isHTTP = url.prefix(4).lowercased() == "http"
        self.init(method: request.head.method, url: isHTTP ? "ws" + url.dropFirst(4) : url, headers: headers)
    }
}
