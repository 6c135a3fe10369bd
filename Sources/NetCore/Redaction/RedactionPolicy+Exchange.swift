internal import HTTPTypes

extension RedactionPolicy {
    /// Returns the exchange without secrets. Redacting it again changes nothing.
    ///
    /// - Parameter secret: The subprotocol of a WebSocket that contains a secret, if there is one.
    package func redact(_ exchange: CapturedExchange, subprotocol secret: String? = nil) -> CapturedExchange {
        guard self != .disabled else { return exchange }
        var redacted = exchange
        redacted.request = redact(exchange.request, subprotocol: secret)
        switch exchange.outcome {
        case .response(var response):
            response.body = redact(
                response.body, contentType: response.headers[.contentType], answering: exchange.request)
            response.headers = hiding(secret, in: redact(response.headers))
            response.trailers = response.trailers.map { redact($0) }
            if let socket = response.socket {
                response.socket = redact(
                    socket, SocketRedaction(exchange.request, subprotocol: secret, policy: self))
            }
            redacted.outcome = .response(response)
        case .failure(var failure):
            failure.message = hidingValues(in: failure.message)
            redacted.outcome = .failure(failure)
        }
        return redacted
    }

    /// Returns the request without secrets. Live requests are also redacted this way before they're compared.
    package func redact(
        _ request: CapturedExchange.Request, subprotocol secret: String? = nil
    ) -> CapturedExchange.Request {
        guard self != .disabled else { return request }
        return .init(
            method: request.method, url: redact(url: request.url),
            headers: hiding(secret, in: redact(request.headers)),
            body: redact(request.body, contentType: request.headers[.contentType]))
    }

    private func hiding(_ subprotocol: String?, in headers: HTTPFields) -> HTTPFields {
        guard let subprotocol, let value = headers[.secWebSocketProtocol] else { return headers }
        var headers = headers
        let names = value.split(separator: ",").map { String($0).trimmed }
        headers[.secWebSocketProtocol] = names.map { $0 == subprotocol ? hidden($0) : $0 }.joined(separator: ", ")
        return headers
    }

    private func redact(_ socket: RecordedSocket, _ redaction: SocketRedaction) -> RecordedSocket {
        var (socket, redaction) = (socket, redaction)
        for index in socket.messages.indices {
            let recorded = socket.messages[index]
            socket.messages[index].message = redaction.redact(recorded.message, from: recorded.sender)
        }
        if case .closed(let code, let reason, let side) = socket.ending {
            socket.ending = .closed(code, reason: redaction.redact(reason: reason), by: side)
        }
        return socket
    }

    /// Returns a body with its sensitive values hidden, as far as they can be found from the content type. The body
    /// may be truncated.
    package func redact(body: [UInt8], contentType: String?) -> [UInt8] {
        edits(in: body, contentType: contentType).applied(to: body)
    }

    /// Returns the credentials that were sent to a server, because server errors may quote them.
    private func secrets(of request: CapturedExchange.Request) -> KnownSecrets {
        var secrets = KnownSecrets()
        secrets.note(request, hasCookies: false, by: self)
        return secrets
    }

    private func redact(
        _ body: CapturedBody, contentType: String?, answering request: CapturedExchange.Request? = nil
    ) -> CapturedBody {
        guard body.keptCount > 0 else { return body }
        // One bulk copy: an array created from a collection copies byte by byte in unoptimized builds.
        let bytes = body.bytes.withUnsafeBytes { [UInt8]($0) }
        var edits = edits(in: bytes, contentType: contentType)
        let known = request.map { secrets(of: $0) }
        if let known, !known.isEmpty {
            edits = edits.joined(with: bytes.withUnsafeBytes { known.edits(in: $0, by: self) })
        }
        if body.isCut || body.failure != nil {
            let beginning = max(beginningOfSecret(atEndOf: bytes, known), beginningOfSecret(atEndOf: bytes, nil))
            let range = bytes.count - beginning..<bytes.count
            if !range.isEmpty {
                edits = edits.joined(with: [BodyEdit(range: range, replacement: Array(placeholder.utf8))])
            }
        }
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
}
