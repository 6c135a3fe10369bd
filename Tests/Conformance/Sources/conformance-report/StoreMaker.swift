import Foundation
import HTTPTypes

@testable import NetCore
@testable import NetStore

/// Records calls like a client, at given times.
final class StoreMaker {
    static let start = Date(timeIntervalSince1970: 1_795_000_000)

    let store: ActivityStore
    private var numbers: SeededNumbers

    init(path: String, seed: UInt64, isNew: Bool = true) throws {
        if isNew { try? FileManager.default.removeItem(atPath: path) }
        store = try ActivityStore(path: path, configuration: .init(retention: .none, version: "1.2"))
        numbers = SeededNumbers(seed)
    }

    /// One attempt: its beginning, the durations of its phases, and its end.
    struct Attempt {
        var status: Int? = 200
        var start: Double = 0
        /// The durations of queued, lookup, connect, secure, waiting and download, in milliseconds; 0 for none.
        var phases: [Double] = [0, 2, 8, 15, 40, 5]
        var isReused = false
        var error: NetError?
        var url: String?
        var retry: (after: Double, reason: String)?
        var trace: TraceParent?
    }

    struct Call {
        var at: Double
        var method: HTTPRequest.Method = .get
        var url: String
        var operation: String?
        var tags: [String] = []
        var attempts: [Attempt] = [Attempt()]
        var cache: ActivityEvent.CacheDecision?
        var outcome: ActivityEvent.Outcome?
        var requestHeaders: String? = "accept: application/json\nuser-agent: shop/1.2\nauthorization: <redacted>"
        var requestBody: String?
        var responseHeaders: String? = "content-type: application/json\nserver: envoy\ncache-control: no-store"
        var responseBody: Bytes?
        var isCut = false
        /// The attempts with a capture. Default: the last one.
        var captured: [Int]?
    }

    func id(at seconds: Double) -> CallID {
        let random = numbers.next()
        return CallID(
            milliseconds: UInt64((Self.start.timeIntervalSince1970 + seconds) * 1000),
            random: NetRandom { random })
    }

    /// Records the beginning of a call, whose end ``add(_:id:isBegun:)`` records.
    func begin(_ call: Call) -> CallID {
        let id = id(at: call.at)
        store.record(event(.started(requestBytes: Int64(call.requestBody?.utf8.count ?? 0)), call, id, 1, at: 0))
        return id
    }

    @discardableResult
    func add(_ call: Call, id given: CallID? = nil, isBegun: Bool = false) -> CallID {
        let id = given ?? id(at: call.at)
        let end = call.attempts.map { $0.start + $0.phases.reduce(0, +) }.max() ?? 0
        var sequence = isBegun ? 1 : 0
        func record(_ kind: ActivityEvent.Kind, _ milliseconds: Double) {
            sequence += 1
            store.record(event(kind, call, id, sequence, at: milliseconds))
        }
        if !isBegun { record(.started(requestBytes: Int64(call.requestBody?.utf8.count ?? 0)), 0) }
        if let cache = call.cache { record(.cache(cache), 0.1) }
        for (index, attempt) in call.attempts.enumerated() {
            let stop = attempt.start + attempt.phases.reduce(0, +)
            record(.attemptEnded(event(attempt, index + 1, call)), stop)
            if let retry = attempt.retry {
                record(
                    .retrying(attempt: index + 2, after: .milliseconds(Int(retry.after)), reason: retry.reason), stop)
            }
        }
        capture(call, id)
        let status = call.attempts.last?.status ?? 200
        let size = Int64(call.responseBody?.count ?? 0)
        let usual: ActivityEvent.Outcome =
            status >= 400
            ? .rejected(status: status, responseBytes: size) : .completed(status: status, responseBytes: size)
        record(.ended(call.outcome ?? usual), end)
        return id
    }

    private func event(
        _ kind: ActivityEvent.Kind, _ call: Call, _ id: CallID, _ sequence: Int, at milliseconds: Double
    ) -> ActivityEvent {
        ActivityEvent(
            call: id, sequence: sequence, date: Self.start.addingTimeInterval(call.at + milliseconds / 1000),
            elapsed: .microseconds(Int64(milliseconds * 1000)), method: call.method, url: call.url,
            metadata: RequestMetadata(operationID: call.operation, tags: call.tags), kind: kind)
    }

    private func event(_ attempt: Attempt, _ number: Int, _ call: Call) -> ActivityEvent.Attempt {
        func duration(upTo phase: Int) -> Duration {
            .microseconds(Int64(attempt.phases.prefix(phase).reduce(0, +) * 1000))
        }
        var metrics = TransferMetrics(
            total: duration(upTo: 6), requestBytes: Int64(call.requestBody?.utf8.count ?? 0),
            responseBytes: Int64(call.responseBody?.count ?? 0), version: "2")
        metrics.isReused = attempt.isReused
        metrics.remoteAddress = "203.0.113.7:443"
        metrics.queued = duration(upTo: 1)
        if !attempt.isReused {
            metrics.resolved = duration(upTo: 2)
            metrics.connected = duration(upTo: 3)
            metrics.secured = duration(upTo: 4)
        }
        metrics.requestSent = duration(upTo: 4)
        metrics.firstByte = duration(upTo: 5)
        var event = ActivityEvent.Attempt(
            number: number, status: attempt.status, error: attempt.error, metrics: metrics, trace: attempt.trace)
        event.method = call.method
        event.url = attempt.url ?? call.url
        event.start = .microseconds(Int64(attempt.start * 1000))
        return event
    }

    private func capture(_ call: Call, _ id: CallID) {
        guard call.requestHeaders != nil || call.responseBody != nil else { return }
        for number in call.captured ?? [call.attempts.count] {
            let request = call.requestBody.map {
                CaptureContent.Body(
                    bytes: Bytes($0.utf8), size: Int64($0.utf8.count), isCut: false, type: "application/json")
            }
            let isLast = number == call.attempts.count
            let response = call.responseBody.flatMap { bytes in
                isLast
                    ? CaptureContent.Body(
                        bytes: bytes, size: Int64(bytes.count) * (call.isCut ? 3 : 1), isCut: call.isCut,
                        type: Self.type(call.responseHeaders)) : nil
            }
            let status = number > 0 ? call.attempts[number - 1].status : 200
            let content = CaptureContent(
                status: status, requestHeaders: call.requestHeaders,
                responseHeaders: status == nil ? nil : call.responseHeaders, request: request, response: response)
            let bytes = (request?.bytes.count ?? 0) + (response?.bytes.count ?? 0)
            store.record(PendingCapture(id, number: number, bytes: bytes) { content })
        }
    }

    private static func type(_ fields: String?) -> String? {
        let line = fields?.split(separator: "\n").first { $0.hasPrefix("content-type: ") }
        return line.map { String($0.dropFirst("content-type: ".count).prefix { $0 != ";" }) }
    }

    func log(_ message: String, at seconds: Double, level: Int = 2, owner: CallID? = nil, detail: String? = nil) {
        let moment = StoredTime.microseconds(of: Self.start.addingTimeInterval(seconds))
        store.record(
            PendingLogLine(
                id(at: seconds), occurredAt: moment, level: level, label: "shop", message: message, detail: detail,
                owner: owner))
    }

    func socket(
        at seconds: Double, _ url: String, _ messages: [(isSent: Bool, text: String)], code: WebSocketCloseCode
    ) {
        let handshake = add(
            Call(at: seconds, url: url, attempts: [Attempt(status: 101)], responseHeaders: "upgrade: websocket"))
        let opened = Self.start.addingTimeInterval(seconds + 0.08)
        let recorder = SocketRecorder(
            [SocketEventListener(store)].compactMap { $0 }, handshake, on: .client, url: url, metadata: .none,
            redaction: .safeDefault, clock: NetClock(now: { .zero }, date: { opened }, sleep: { _ in }))
        recorder.opened(.init(subprotocol: "v1", address: "203.0.113.7:443"))
        for (number, message) in messages.enumerated() {
            recorder.record(message.isSent ? .sent : .received, .text(message.text))
            let moment = StoredTime.microseconds(of: opened.addingTimeInterval(Double(number) * 0.25))
            store.record(
                PendingMessage(
                    handshake, number: number + 1, occurredAt: moment, isSent: message.isSent, kind: .text,
                    size: Int64(message.text.utf8.count)
                ) { .text(message.text) })
        }
        recorder.closed(
            NetError(
                code == .normalClosure ? .webSocketClosed : .connectionLost, phase: .receiving, message: "it has ended",
                closure: WebSocketClosure(code: code)))
    }

    func close() async throws {
        try await store.flush()
        try await store.close()
    }
}
