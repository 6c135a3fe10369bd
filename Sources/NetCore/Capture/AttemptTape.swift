package import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The recording of one attempt in progress, for capture and for `RecordingTransport`.
///
/// It copies the chunks that the reader of a body takes. It passes on one ``AttemptRecording`` when the body has ended,
/// failed, or was abandoned by its reader, or when no response arrived.
package final class AttemptTape: Sendable {
    /// Media types whose pieces are events. Pauses are kept only for these types.
    private static let timedTypes: Set<String> = [
        "text/event-stream", "application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-seq",
    ]

    // Doesn't keep the request itself: its body may be large, and the recording is kept until a thread reads it.
    private let head: HTTPRequest
    private let socket: WebSocketOptions?
    private let body: BodyTape?
    /// The redaction policy of the call, with its secrets.
    let redaction: RedactionPolicy
    private let environment: CallContext.Environment
    private let limits: CaptureLimits
    private let date: Date
    private let start: Duration
    private let onChunk: ChunkHook?
    private let handOver: @Sendable (AttemptRecording) -> Void

    /// Called with each chunk of a streamed body: true if the chunk belongs to the request, and its size in bytes.
    package typealias ChunkHook = @Sendable (_ isOfRequest: Bool, _ bytes: Int) -> Void

    package init(
        _ request: PreparedRequest, _ context: CallContext, limits: CaptureLimits,
        onChunk: ChunkHook? = nil, handOver: @escaping @Sendable (AttemptRecording) -> Void
    ) {
        self.onChunk = onChunk
        head = request.head
        socket = request.options.webSocket
        redaction = context.redaction(of: request)
        environment = context.environment
        self.limits = limits
        self.handOver = handOver
        date = context.environment.clock.date()
        start = context.environment.clock.now()
        if case .none = request.body {
            body = nil
        } else {
            body = BodyTape(
                limit: limits.bytes(of: request.head.headerFields[.contentType]),
                isOfRequest: true, onChunk: onChunk)
        }
        if case .bytes(let bytes) = request.body { body?.append(whole: bytes) }
    }

    /// The approximate size of the kept request in bytes.
    var size: Int { (head.path?.utf8.count ?? 0) + head.headerFields.size + (body?.keptCount ?? 0) + 512 }

    /// The time since the attempt began.
    package var elapsed: Duration { environment.clock.now() - start }

    /// Returns the request; a streamed body is recorded while it is read.
    package func taped(_ request: PreparedRequest) -> PreparedRequest {
        guard let body, case .stream(let length, let isReplayable, let make) = request.body else { return request }
        var copy = request
        body.start()
        copy.body = .stream(length: length, isReplayable: isReplayable) {
            body.start()
            let source = try make()
            if let file = source as? FileBodySource { body.note(file: file.path) }
            return TapedBodySource(ResponseBody(source: source), tape: body) { error in
                if error == nil { body.end() }
            }
        }
        return copy
    }

    /// Returns the response; a body that is still arriving is recorded while it is read.
    package func taped(_ response: StreamedResponse) -> StreamedResponse {
        let duration = elapsed
        let (head, body) = (response.head, response.body)
        let type = head[.contentType]
        let tape = BodyTape(
            limit: limits.bytes(of: type), timedBy: body.whole == nil && Self.isTimed(type) ? environment.clock : nil,
            isOfRequest: false, onChunk: onChunk)
        if let whole = body.whole {
            tape.append(whole: whole)
            finish(
                .response(head, tape, failure: nil, trailers: body.trailers, metrics: body.metrics), after: duration)
            return response
        }
        if let cut = body.cut {
            tape.append(whole: cut.bytes, of: cut.total)
            finish(
                .response(head, tape, failure: nil, trailers: body.trailers, metrics: body.metrics), after: duration)
            return response
        }
        let source = TapedBodySource(body, tape: tape) { error in
            let failure = error?.isCancellation == true && self.isWhole(head, tape.count) ? nil : error
            self.finish(
                .response(head, tape, failure: failure, trailers: body.trailers, metrics: body.metrics),
                after: duration)
        }
        var taped = response
        taped.body = body.replacing(source)
        return taped
    }

    /// Reports that no response arrived.
    package func failed(_ error: NetError) { finish(.failure(error), after: elapsed) }

    private func finish(_ outcome: AttemptRecording.Outcome, after duration: Duration) {
        body?.freeze()
        handOver(AttemptRecording(tape: self, outcome: outcome, duration: duration))
    }

    private static func isTimed(_ contentType: String?) -> Bool {
        guard let contentType else { return false }
        return timedTypes.contains(CaptureLimits.essence(contentType))
    }

    /// Returns true if the body is complete, although its reader didn't wait for the end.
    private func isWhole(_ head: ResponseHead, _ count: Int64) -> Bool {
        let code = head.status.code
        if self.head.method == .head || code == 204 || code == 304 { return true }
        return head[.contentLength].flatMap { Int64($0) } == count
    }

    // MARK: Reading

    /// Returns the exchange without the secrets that the policy hides, and those that the policy of the call hides.
    package func exchange(
        _ outcome: CapturedExchange.Outcome, after duration: Duration, redactedBy policy: RedactionPolicy,
        _ shown: (CapturedBody, HTTPFields) -> CapturedBody = { body, _ in body }
    ) -> CapturedExchange {
        var exchange = CapturedExchange(recordedAt: date, duration: duration, request: request, outcome: outcome)
        exchange.request.body = shown(exchange.request.body, exchange.request.headers)
        return policy.joined(with: redaction).redact(exchange, subprotocol: socket?.secretSubprotocol)
    }

    /// The request, including its secrets.
    private var request: CapturedExchange.Request {
        let request = PreparedRequest(head: head, body: .none)
        var captured =
            socket.map { CapturedExchange.Request(handshake: request, $0) }
            ?? .init(method: head.method, url: request.url, headers: head.headerFields)
        captured.body = body?.body() ?? CapturedBody()
        return captured
    }
}

extension CapturedExchange.Request {
    /// Creates the opening handshake of a WebSocket, with the scheme `ws` or `wss` and the subprotocols that it offers.
    package init(handshake request: PreparedRequest, _ options: WebSocketOptions? = nil) {
        var headers = request.head.headerFields
        let offered = (options ?? request.options.webSocket)?.offeredSubprotocols ?? []
        if !offered.isEmpty { headers[.secWebSocketProtocol] = offered.joined(separator: ", ") }
        let url = request.url
        let isHTTP = url.prefix(4).lowercased() == "http"
        self.init(method: request.head.method, url: isHTTP ? "ws" + url.dropFirst(4) : url, headers: headers)
    }
}
