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
            response.body = redact(response.body, contentType: response.fields[.contentType])
            response.fields = redactWithURLs(response.fields)
            response.trailers = response.trailers.map(redactWithURLs)
            exchange.outcome = .response(response)
        case .failure: break
        }
        return exchange
    }

    /// The request without secrets: what a live request is compared as, too.
    package func redact(_ request: RecordedExchange.Request) -> RecordedExchange.Request {
        guard self != .disabled else { return request }
        return .init(
            method: request.method, url: redact(url: request.url), fields: redactWithURLs(request.fields),
            body: redact(request.body, contentType: request.fields[.contentType]))
    }

    /// Fields that hold a URL may hold a secret of its query.
    private func redactWithURLs(_ fields: HTTPFields) -> HTTPFields {
        var result = HTTPFields()
        for var field in redact(fields) {
            switch field.name.canonicalName {
            case "location", "content-location", "referer", "link", "refresh": field.value = redact(url: field.value)
            default: break
            }
            result.append(field)
        }
        return result
    }

    private func redact(_ body: RecordedBody, contentType: String?) -> RecordedBody {
        guard body.count > 0 else { return body }
        let bytes = Array(body.bytes)
        let edits = edits(in: bytes, contentType: contentType)
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

    private func edits(in bytes: [UInt8], contentType: String?) -> [BodyEdit] {
        let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        if type == "application/x-www-form-urlencoded" { return FormRedaction.edits(in: bytes, policy: self) }
        if let boundary = MultipartPart.boundary(of: contentType ?? "") {
            return FormRedaction.edits(inParts: bytes, boundary: boundary, policy: self)
        }
        // Servers send JSON under other names and in streams; where there are no members the search finds nothing.
        return JSONRedaction.edits(in: bytes, policy: self)
    }
}
