internal import HTTPTypes
internal import NetCore

extension PendingCapture {
    /// Creates the capture of an attempt. It is redacted when the writer reads it.
    convenience init(_ attempt: CapturedAttempt) {
        self.init(attempt.call, number: attempt.attempt ?? 0, bytes: attempt.size) {
            CaptureContent(attempt.redacted())
        }
    }
}

extension CaptureContent {
    init(_ exchange: CapturedExchange) {
        requestHeaders = StoredExchange.text(exchange.request.headers)
        request = Body(exchange.request.body, exchange.request.headers)
        guard let response = exchange.response else { return }
        status = response.status.code
        responseHeaders = StoredExchange.text(response.headers)
        self.response = Body(response.body, response.headers)
        trailers = response.trailers.flatMap(StoredExchange.text)
        pieces = Self.times(of: response.body)
    }

    /// Returns the times of a stream's pieces; nil if the times have no meaning.
    private static func times(of body: CapturedBody) -> String? {
        guard body.isTimed else { return nil }
        return StoredExchange.times(body.pieces.map { .init(delay: $0.delay, count: $0.bytes.count) })
    }
}

extension CaptureContent.Body {
    /// Returns nil for a message without a body.
    fileprivate init?(_ body: CapturedBody, _ headers: HTTPFields) {
        guard body.count > 0 || body.isCut else { return nil }
        let type = headers[.contentType].map { $0.prefix { $0 != ";" && $0 != "," && $0 != " " }.lowercased() }
        self.init(
            bytes: body.bytes, size: body.count, isCut: body.isCut || body.failure != nil, type: type,
            file: body.file)
    }
}

extension StoredExchange {
    static func text(_ fields: HTTPFields) -> String? { text(fields.map { ($0.name.rawName, $0.value) }) }
}

extension PendingMessage {
    /// Creates a message captured by a client or server. It is redacted when the writer reads it.
    convenience init(_ message: CapturedSocketMessage) {
        self.init(
            message.socket, number: message.sequence, occurredAt: StoredTime.microseconds(of: message.date),
            isSent: message.direction == .sent, kind: message.kind == .text ? .text : .binary,
            size: Int64(message.count), isCut: message.isCut, bytes: message.keptCount
        ) { message.redacted() }
    }
}
