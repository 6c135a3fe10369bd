internal import HTTPTypes
package import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One exchange of a stored call, with its attempt.
struct StoredStep {
    /// The number of the attempt; 0, -1, … for responses from a cache.
    let number: Int
    /// Nil for a response from a cache, and for a call that ended before its first attempt.
    let attempt: StoredAttempt?
    let exchange: CapturedExchange
}

extension StoredDetail {
    /// Returns the call as exchanges: one for each attempt, in order, then one for each response that a cache has
    /// served. A call that ended before its first attempt is one exchange without a response.
    ///
    /// Headers and bodies are the captured ones; a transferred body that wasn't captured counts as cut. The stored
    /// times become ``CapturedExchange/metrics``. A WebSocket without its call becomes an assumed handshake. Empty for
    /// a job and for a log line.
    ///
    /// - Parameters:
    ///   - messages: The messages of the WebSocket that the call opened. Default none.
    ///   - socket: The entry of that WebSocket, which contains its ending. Default nil.
    package func capturedExchanges(messages: [StoredMessage] = [], socket: StoredItem? = nil) -> [CapturedExchange] {
        steps(messages: messages, socket: socket).map(\.exchange)
    }

    func steps(messages: [StoredMessage] = [], socket: StoredItem? = nil) -> [StoredStep] {
        guard item.kind == .call || item.kind == .socket else { return [] }
        let socket = item.kind == .socket ? item : socket
        var steps: [StoredStep] = []
        for attempt in attempts {
            let captured = exchanges.first { $0.number == attempt.number }
            steps.append(
                StoredStep(
                    number: attempt.number, attempt: attempt,
                    exchange: StoredConversion(item: item, attempt: attempt, captured: captured).exchange))
        }
        // A call under way may have captures of attempts that haven't ended.
        let known = Set(attempts.map(\.number))
        let others = exchanges.filter { !known.contains($0.number) }
        // Responses from a cache are numbered downward.
        for captured in others.filter({ $0.number > 0 }) + others.filter({ $0.number <= 0 }).reversed() {
            let start = captured.number > 0 ? nil : attempts.last?.end
            steps.append(
                StoredStep(
                    number: captured.number, attempt: nil,
                    exchange: StoredConversion(item: item, captured: captured, start: start ?? .zero).exchange))
        }
        if steps.isEmpty {
            steps.append(StoredStep(number: 0, attempt: nil, exchange: StoredConversion(item: item).exchange))
        }
        guard socket != nil || !messages.isEmpty, let last = steps.popLast() else { return steps }
        let exchange = last.exchange.opening(RecordedSocket(messages, socket, after: last.exchange.head))
        return steps + [StoredStep(number: last.number, attempt: last.attempt, exchange: exchange)]
    }
}

/// Converts a stored attempt to an exchange.
private struct StoredConversion {
    let item: StoredItem
    var attempt: StoredAttempt?
    var captured: StoredExchange?
    /// The time from the start of the call to that of the exchange, if no attempt has one.
    var start = Duration.zero

    var exchange: CapturedExchange {
        let metrics = attempt?.metrics
        let begin = attempt?.start ?? start
        let whole = attempt.flatMap { one in one.duration ?? one.end.map { $0 - begin } }
        let rest = item.duration.map { max(.zero, $0 - begin) }
        return CapturedExchange(
            recordedAt: item.startedAt.addingTimeInterval(begin.inSeconds),
            duration: metrics?.firstByte ?? whole ?? rest ?? .zero, request: request, outcome: outcome,
            metrics: metrics)
    }

    private var request: CapturedExchange.Request {
        .init(
            method: HTTPRequest.Method(attempt?.method ?? item.method ?? "GET") ?? .get,
            url: attempt?.url ?? item.url ?? "", headers: Self.headers(captured?.requestHeaders ?? []),
            body: requestBody)
    }

    private var requestBody: CapturedBody {
        guard item.kind == .call else { return CapturedBody() }
        switch StoredRequestBody(of: item, attempt, captured) {
        case .none: return CapturedBody()
        case .whole(let bytes): return CapturedBody(bytes)
        case .partial(let bytes, let size):
            var body = CapturedBody(bytes)
            (body.isCut, body.passed) = (true, size)
            return body
        case .file(_, let size):
            return CapturedBody(pieces: [], isCut: true, passed: size)
        }
    }

    private var outcome: CapturedExchange.Outcome {
        let failure = attempt.map(\.failure) ?? (captured == nil ? item.failure : nil)
        let status = attempt?.status ?? captured?.status ?? (attempt == nil ? item.status : nil)
        // A browser's cache has responses with the status 0.
        let hasHead = status == 0 && captured?.responseHeaders.isEmpty == false
        guard let status, (100...999).contains(status) || hasHead, item.kind == .call else {
            // A stored WebSocket was opened, even if nothing is known about its handshake.
            if item.kind == .socket { return .response(.init(status: .switchingProtocols)) }
            return .failure(failure.map { .init(code: $0.code, message: $0.message) } ?? ending)
        }
        let trailers = Self.headers(captured?.trailers ?? [])
        var body = body(captured?.response, of: attempt?.responseBytes ?? item.responseBytes)
        body.failure = failure.map { .init(code: $0.code, message: $0.message) }
        return .response(
            .init(
                status: .init(code: status), version: attempt?.version ?? item.version ?? "",
                headers: Self.headers(captured?.responseHeaders ?? []), body: body,
                trailers: trailers.isEmpty ? nil : trailers))
    }

    /// The ending of the call, for an attempt without a status or an error.
    private var ending: CapturedExchange.Failure {
        switch item.outcome {
        case .cancelled: .init(code: NetError.Code.cancelled.rawValue, message: "the call was cancelled")
        case .cutOff: .init(code: "cutOff", message: "the program ended before the call")
        default: .init(code: NetError.Code.connectionLost.rawValue, message: "no response was stored")
        }
    }

    private func body(_ stored: StoredExchange.Body?, of size: Int64?) -> CapturedBody {
        guard let stored else {
            guard captured == nil, let size, size > 0 else { return CapturedBody() }
            return CapturedBody(pieces: [], isCut: true, passed: size)
        }
        var body = CapturedBody(stored.bytes)
        body.isCut = stored.isCut
        body.passed = stored.size
        if stored == captured?.response, let times = captured?.pieces, !times.isEmpty {
            body.pieces = Self.pieces(of: stored.bytes, times)
        }
        return body
    }

    /// Splits the bytes at their pieces, which may extend beyond the captured bytes.
    private static func pieces(of bytes: Bytes, _ times: [StoredExchange.PieceTime]) -> [CapturedBody.Piece] {
        var pieces: [CapturedBody.Piece] = []
        var start = 0
        for time in times where start < bytes.count || time.count == 0 {
            let end = start + min(time.count, bytes.count - start)
            pieces.append(.init(bytes[start..<end], after: time.delay))
            start = end
        }
        if start < bytes.count { pieces.append(.init(bytes[start..<bytes.count])) }
        return pieces
    }

    private static func headers(_ fields: [StoredExchange.Field]) -> HTTPFields {
        var headers = HTTPFields()
        for field in fields {
            if let name = HTTPField.Name(field.name) { headers.append(HTTPField(name: name, value: field.value)) }
        }
        return headers
    }
}

extension StoredAttempt {
    /// The times in a transport's form; nil if the transport measured nothing.
    fileprivate var metrics: TransferMetrics? {
        guard let duration else { return nil }
        var metrics = TransferMetrics(
            total: duration, requestBytes: requestBytes ?? 0, responseBytes: responseBytes ?? 0,
            version: version ?? "")
        (metrics.isReused, metrics.remoteAddress) = (isReused ?? false, remoteAddress)
        var last = Duration.zero
        func end(of phase: Duration?) -> Duration? {
            guard let phase else { return nil }
            last += phase
            return last
        }
        metrics.queued = end(of: phases.queued)
        metrics.resolved = end(of: phases.lookup)
        metrics.connected = end(of: phases.connect)
        metrics.secured = end(of: phases.secure)
        metrics.firstByte =
            phases.download.map { max(last, duration - $0) } ?? phases.waiting.map { min(duration, last + $0) }
        if let firstByte = metrics.firstByte, let waiting = phases.waiting {
            metrics.requestSent = max(last, firstByte - waiting)
        }
        if let sending = phases.sending {
            metrics.requestSent = metrics.requestSent ?? min(duration, last + sending)
            metrics.requestStarted = metrics.requestSent.map { max(last, $0 - sending) }
        }
        return metrics
    }
}

extension CapturedExchange {
    /// The time when the response head was received.
    fileprivate var head: Date { recordedAt.addingTimeInterval(duration.inSeconds) }

    /// Returns the exchange as a WebSocket handshake.
    fileprivate func opening(_ socket: RecordedSocket) -> CapturedExchange {
        guard case .response(var response) = outcome else { return self }
        var exchange = self
        response.socket = socket
        exchange.outcome = .response(response)
        // The scheme distinguishes a handshake from other requests.
        if request.url.hasPrefix("http") { exchange.request.url = "ws" + request.url.dropFirst(4) }
        return exchange
    }
}

extension RecordedSocket {
    /// Creates the recorded form of a stored WebSocket. Pings and pongs are skipped; only the first close frame is
    /// used.
    fileprivate init(_ stored: [StoredMessage], _ socket: StoredItem?, after head: Date) {
        self.init()
        var last = head
        var close: StoredMessage?
        for message in stored {
            let content: WebSocketMessage
            switch message.kind {
            case .text: content = .text(message.text ?? "")
            case .binary: content = .binary(message.bytes ?? Bytes())
            case .ping, .pong: continue
            case .close:
                close = close ?? message
                continue
            }
            messages.append(
                .init(
                    message.isSent ? .client : .server, content,
                    after: .microseconds(StoredTime.microseconds(from: last, to: message.date))))
            last = max(last, message.date)
            if message.isCut { isCut = true }
        }
        guard let socket else { return }
        if let duration = socket.duration {
            let end = socket.startedAt.addingTimeInterval(duration.inSeconds)
            endDelay = .microseconds(StoredTime.microseconds(from: last, to: end))
        }
        if let failure = socket.failure {
            ending = .failed(.init(code: failure.code, message: failure.message))
        } else if let code = socket.status.flatMap(UInt16.init(exactly:)) {
            ending = .closed(
                WebSocketCloseCode(rawValue: code), reason: "", by: close?.isSent == false ? .server : .client)
        } else {
            isCut = true
        }
    }
}
