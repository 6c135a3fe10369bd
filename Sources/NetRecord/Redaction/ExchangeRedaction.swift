internal import HTTPTypes
package import NetCore

extension RedactionPolicy {
    /// The exchange without secrets. Doing it twice changes nothing more.
    package func redact(_ exchange: RecordedExchange) -> RecordedExchange {
        guard self != .disabled else { return exchange }
        var exchange = exchange
        exchange.request = redact(exchange.request)
        switch exchange.outcome {
        case .response(var response):
            response.body = redact(response.body, contentType: response.headers[.contentType])
            response.headers = redact(response.headers)
            response.trailers = response.trailers.map { redact($0) }
            exchange.outcome = .response(response)
        case .failure: break
        }
        return exchange
    }

    /// The request without secrets: what a live request is compared as, too.
    package func redact(_ request: RecordedExchange.Request) -> RecordedExchange.Request {
        guard self != .disabled else { return request }
        return .init(
            method: request.method, url: redact(url: request.url), headers: redact(request.headers),
            body: redact(request.body, contentType: request.headers[.contentType]))
    }

    private func redact(_ body: RecordedBody, contentType: String?) -> RecordedBody {
        guard body.count > 0 else { return body }
        let bytes = Array(body.bytes)
        let edits = bodyEdits(in: bytes, contentType)
        guard !edits.isEmpty else { return body }
        let redacted = Bytes(edits.applied(to: bytes))
        var result = body
        result.pieces = []
        var (before, start) = (0, 0)
        for piece in body.pieces {
            before += piece.bytes.count
            let end = edits.moved(before)
            result.pieces.append(.init(redacted[start..<end], after: piece.delay))
            start = end
        }
        return result
    }

    private func bodyEdits(in bytes: [UInt8], _ contentType: String?) -> [BodyEdit] {
        if let boundary = MultipartPart.boundary(of: contentType ?? "") {
            return MultipartRedaction.edits(inParts: bytes, boundary: boundary, policy: self)
        }
        return edits(in: bytes, contentType: contentType)
    }
}
