#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetRecord
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The exchanges of a HAR file or a cassette as entries, without secrets: a browser's HAR holds cookies and tokens.
struct RecordedEntries {
    private let timings: [HARTimes?]
    private let exchanges: [CapturedExchange]

    init(path: String) throws(RecordFileError) {
        let cassette = try Cassette.read(from: path)
        exchanges = cassette.exchanges.map { RedactionPolicy.safeDefault.redact($0) }
        timings = path.lowercased().hasSuffix(".har") ? try HARTimes.all(of: path) : []
    }

    /// In the order of the file; a WebSocket follows its handshake.
    var entries: [ReportEntry] {
        exchanges.indices.flatMap { index in
            entries(of: exchanges[index], index, timings.indices.contains(index) ? timings[index] : nil)
        }
    }

    private func entries(of exchange: CapturedExchange, _ index: Int, _ times: HARTimes?) -> [ReportEntry] {
        let id = CallID(
            milliseconds: UInt64(max(0, min(exchange.recordedAt.timeIntervalSince1970 * 1000, 0x1p47))),
            random: NetRandom { UInt64(truncatingIfNeeded: index + 1) &* 0x9e37_79b9_7f4a_7c15 })
        var item = StoredItem(id: 0, uid: id, kind: .call, startedAt: exchange.recordedAt)
        let request = exchange.request
        item.method = request.method.rawValue
        item.url = request.url
        item.host = StoredURL.host(of: request.url)
        item.attempts = 1
        item.duration = times?.total ?? exchange.duration
        item.requestBytes = request.body.count
        item.requestType = Self.type(request.headers)
        var attempt = StoredAttempt(1)
        var stored = StoredExchange(
            number: 1, requestFields: Self.fields(request.headers), request: Self.body(request.body))
        var failure: CapturedExchange.Failure?
        switch exchange.outcome {
        case .failure(let reason): failure = reason
        case .response(let response):
            failure = response.body.failure
            item.status = response.status.code
            item.responseBytes = response.body.count
            item.responseType = Self.type(response.headers)
            item.version = response.version.isEmpty ? nil : response.version
            stored.status = response.status.code
            stored.responseFields = Self.fields(response.headers)
            stored.response = Self.body(response.body)
            stored.trailers = Self.fields(response.trailers ?? [:])
        }
        item.failure = failure.map { StoredFailure(code: $0.code, phase: "receiving", message: $0.message) }
        item.outcome = failure != nil ? .failed : (item.status ?? 0) >= 400 ? .rejected : .completed
        item.remoteAddress = times?.address
        describe(&attempt, as: item, times)
        var entry = ReportEntry(item)
        entry.attempts = [attempt]
        entry.exchanges = [stored]
        return [entry] + (exchange.response?.socket.map { [socket($0, of: item)] } ?? [])
    }

    private func describe(_ attempt: inout StoredAttempt, as item: StoredItem, _ times: HARTimes?) {
        attempt.method = item.method
        attempt.url = item.url
        attempt.start = .zero
        attempt.status = item.status
        attempt.failure = item.failure
        attempt.duration = item.duration
        attempt.version = item.version
        attempt.remoteAddress = item.remoteAddress
        if let times { attempt.phases = times.phases }
    }

    private func socket(_ socket: RecordedSocket, of call: StoredItem) -> ReportEntry {
        var item = StoredItem(
            id: 0, uid: call.uid, kind: .socket,
            startedAt: call.startedAt.addingTimeInterval(Double(call.duration?.microseconds ?? 0) / 1e6))
        (item.url, item.host, item.method) = (call.url, call.host, nil)
        var elapsed = Duration.zero
        var messages: [StoredMessage] = []
        for (index, message) in socket.messages.enumerated() {
            elapsed += message.delay
            messages.append(
                StoredMessage(
                    message.message, number: index + 1, isSent: message.sender == .client,
                    at: item.startedAt.addingTimeInterval(Double(elapsed.microseconds) / 1e6)))
        }
        item.duration = elapsed + socket.endDelay
        item.requestBytes = messages.filter(\.isSent).reduce(0) { $0 + $1.size }
        item.responseBytes = messages.filter { !$0.isSent }.reduce(0) { $0 + $1.size }
        switch socket.ending {
        case .closed(let code, let reason, _):
            item.status = Int(code.rawValue)
            item.outcome = .completed
            item.detail = reason.isEmpty ? nil : reason
        case .failed(let failure):
            item.outcome = .failed
            item.failure = StoredFailure(code: failure.code, phase: "receiving", message: failure.message)
        // A browser doesn't say how it ended.
        case nil: item.outcome = socket.isCut ? .cutOff : .completed
        }
        var entry = ReportEntry(item)
        entry.messages = messages
        return entry
    }

    private static func fields(_ headers: HTTPFields) -> [StoredExchange.Field] {
        headers.map { StoredExchange.Field(name: $0.name.rawName, value: $0.value) }
    }

    private static func type(_ headers: HTTPFields) -> String? {
        headers[.contentType].map { String($0.prefix { $0 != ";" }).lowercased() }
    }

    private static func body(_ body: CapturedBody) -> StoredExchange.Body? {
        body.isAbsent
            ? nil : StoredExchange.Body(bytes: body.bytes, size: body.isCut ? nil : body.count, isCut: body.isCut)
    }
}

extension StoredMessage {
    fileprivate init(_ message: WebSocketMessage, number: Int, isSent: Bool, at date: Date) {
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
#endif
