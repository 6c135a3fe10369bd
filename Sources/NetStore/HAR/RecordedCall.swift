internal import HTTPTypes
package import NetCore
package import NetRecord

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A call recorded in a file, in the form in which a store keeps it: with the WebSocket that it opened, if any.
package struct RecordedCall: Sendable {
    package var detail: StoredDetail
    /// The WebSocket; nil if the call didn't open one.
    package var socket: StoredItem?
    /// The messages of the WebSocket.
    package var messages: [StoredMessage] = []
}

extension RecordedCall {
    /// Creates a call with one attempt.
    ///
    /// - Parameters:
    ///   - exchange: The redacted request and response.
    ///   - times: The times and sizes that an exchange doesn't contain. Default nil.
    ///   - messages: The redacted messages of its WebSocket; nil for those of the exchange.
    ///   - uid: The ID of the call.
    package init(
        _ exchange: CapturedExchange, times: HARTimes? = nil, messages: [StoredMessage]? = nil, uid: CallID
    ) {
        var item = StoredItem(id: 0, uid: uid, kind: .call, startedAt: exchange.recordedAt)
        var attempt = StoredAttempt(1)
        var stored = StoredExchange(number: 1, exchange, times)
        let request = exchange.request
        (item.method, item.url) = (request.method.rawValue, request.url)
        item.host = StoredURL.host(of: request.url)
        item.attempts = 1
        item.duration = times?.total ?? exchange.duration
        item.requestBytes = stored.request?.size ?? 0
        item.requestType = Self.type(request.headers)
        var failure = exchange.failure
        if let response = exchange.response {
            failure = response.body.failure
            item.status = response.status.code
            item.responseBytes = stored.response?.size ?? (stored.response == nil ? 0 : nil)
            // Hiding something in a body changes its size.
            if !response.body.isCut, let size = times?.contentBytes, size > 0 { item.responseBytes = size }
            item.responseType = Self.type(response.headers)
            item.version = response.version.isEmpty ? nil : response.version
        }
        stored.status = item.status
        let phase = exchange.response == nil ? nil : NetError.Phase.receiving
        item.failure = failure.map {
            StoredFailure(
                code: $0.code, phase: (phase ?? HARFailure.phase($0))?.rawValue ?? "", message: $0.message)
        }
        // A page that is left aborts its calls.
        let isAborted = failure?.code == NetError.Code.cancelled.rawValue
        item.outcome =
            isAborted ? .cancelled : failure != nil ? .failed : (item.status ?? 0) >= 400 ? .rejected : .completed
        item.remoteAddress = times?.address
        (attempt.method, attempt.url, attempt.start) = (item.method, item.url, .zero)
        (attempt.status, attempt.failure, attempt.duration) = (item.status, item.failure, item.duration)
        (attempt.end, attempt.version, attempt.remoteAddress) = (item.duration, item.version, item.remoteAddress)
        (attempt.requestBytes, attempt.responseBytes) = (times?.requestBytes, times?.responseBytes)
        if let times { attempt.phases = times.phases }
        if times?.isFromCache == true { (item.cache, item.cacheReason) = ("hit", "fresh") }
        detail = StoredDetail(item: item, attempts: [attempt], exchanges: [stored], owned: [])
        if let socket = exchange.socket { add(socket, messages, of: exchange) }
    }

    private mutating func add(_ socket: RecordedSocket, _ known: [StoredMessage]?, of exchange: CapturedExchange) {
        let call = detail.item
        let head = exchange.recordedAt.addingTimeInterval(exchange.duration.inSeconds)
        // Browsers report the WebSocket's whole lifetime as waiting for the response.
        let opened = max(exchange.recordedAt, min(head, known?.first?.date ?? head))
        var item = StoredItem(id: 0, uid: call.uid, kind: .socket, startedAt: opened)
        (item.url, item.host) = (call.url, call.host)
        messages = known ?? Self.messages(of: socket, since: opened)
        let last = max(opened, messages.last?.date ?? opened)
        item.duration =
            .microseconds(StoredTime.microseconds(from: opened, to: last)) + socket.endDelay
        item.requestBytes = messages.filter(\.isSent).reduce(0) { $0 &+ $1.size }
        item.responseBytes = messages.filter { !$0.isSent }.reduce(0) { $0 &+ $1.size }
        switch socket.ending {
        case .closed(let code, let reason, _):
            item.status = Int(code.rawValue)
            item.outcome = .completed
            item.detail = reason.isEmpty ? nil : reason
        case .failed(let failure):
            item.outcome = .failed
            item.failure = StoredFailure(code: failure.code, phase: "receiving", message: failure.message)
        // Browsers don't record how a WebSocket ended.
        case nil: item.outcome = socket.isCut ? .cutOff : .completed
        }
        self.socket = item
    }

    private static func messages(of socket: RecordedSocket, since opened: Date) -> [StoredMessage] {
        var elapsed = Duration.zero
        return socket.messages.enumerated().map { index, message in
            elapsed += message.delay
            return StoredMessage(
                message.message, number: index + 1, isSent: message.sender == .client,
                at: opened.addingTimeInterval(elapsed.inSeconds))
        }
    }

    private static func type(_ headers: HTTPFields) -> String? {
        headers[.contentType].map { String($0.prefix { $0 != ";" && $0 != "," && $0 != " " }).lowercased() }
    }
}

extension StoredExchange {
    /// Creates the stored form of an exchange.
    init(number: Int, _ exchange: CapturedExchange, _ times: HARTimes?) {
        self.init(
            number: number, requestHeaders: Self.fields(exchange.request.headers),
            request: Body(exchange.request.body, whole: times?.requestBytes))
        guard let response = exchange.response else { return }
        status = response.status.code
        responseHeaders = Self.fields(response.headers)
        self.response = Body(response.body, whole: times?.contentBytes)
        trailers = Self.fields(response.trailers ?? [:])
        if response.body.isTimed {
            pieces = response.body.pieces.map { .init(delay: $0.delay, count: $0.bytes.count) }
        }
    }

    private static func fields(_ headers: HTTPFields) -> [Field] {
        headers.map { Field(name: $0.name.rawName, value: $0.value) }
    }
}

extension StoredExchange.Body {
    /// Returns nil if there is no body. For an incomplete body, the size is that of the whole body.
    fileprivate init?(_ body: CapturedBody, whole: Int64?) {
        guard !body.isAbsent else { return nil }
        let size = body.isCut ? whole.flatMap { $0 >= body.count ? $0 : nil } ?? body.passed : body.count
        self.init(bytes: body.bytes, size: size, isCut: body.isCut || body.failure != nil)
    }
}

extension StoredMessage {
    init(_ message: WebSocketMessage, number: Int, isSent: Bool, at date: Date) {
        switch message {
        case .text(let text):
            self.init(
                number: number, date: date, isSent: isSent, kind: .text, size: Int64(text.utf8.count), text: text,
                bytes: nil, isCut: false)
        case .binary(let bytes):
            self.init(
                number: number, date: date, isSent: isSent, kind: .binary, size: Int64(bytes.count), text: nil,
                bytes: bytes, isCut: false)
        }
    }
}
