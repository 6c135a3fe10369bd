import Foundation
import HTTPTypes
import NetCore

@testable import NetStore

/// A store with one entry of each kind: retries with phases, a failure, a redirect, a response from a cache, bodies of
/// all kinds, a WebSocket, a job with its call, a line of a log, notes.
enum HARSample {
    static func fill(_ store: ActivityStore) async throws {
        try await retried(store)
        record(1, store, request: ("text/plain; charset=iso-8859-1", Bytes("na\u{ef}ve".utf8)))
        record(2, store, request: ("application/octet-stream", Bytes((0..<255).map { UInt8($0) })), cutTo: 100)
        try await store.write(Events.call(3, outcome: .cancelled), Events.call(4, status: 204))
        try await cached(store)
        try await store.write(Events.call(6))
        for event in Events.socket(6) { store.record(event) }
        for number in 1...40 { store.record(message(number)) }
        try await store.flush()
        let detail = try await store.item(uid: Events.id(1), kind: .call)
        if let id = detail?.item.id {
            try await store.comment("look at \u{202e}this \u{1f600}", on: id)
            try await store.pin(id)
        }
    }

    private static func attempt(
        _ number: Int, status: Int?, error: NetError? = nil, start: Duration, url: String? = nil
    )
        -> ActivityEvent.Attempt
    {
        var metrics = TransferMetrics(
            total: .microseconds(90_001 + Int64(number)), requestBytes: 10, responseBytes: 333, version: "2")
        metrics.queued = .microseconds(7)
        metrics.resolved = .microseconds(1_011)
        metrics.connected = .microseconds(2_333)
        metrics.secured = .microseconds(40_007)
        metrics.requestStarted = .microseconds(40_100)
        metrics.requestSent = .microseconds(50_104)
        metrics.firstByte = .microseconds(80_003)
        metrics.remoteAddress = "[::1]:443"
        var attempt = ActivityEvent.Attempt(number: number, status: status, error: error, metrics: metrics)
        attempt.start = start
        attempt.url = url
        attempt.trace = TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        return attempt
    }

    private static func retried(_ store: ActivityStore) async throws {
        let failure = NetError(.timeout, phase: .waiting, message: "no answer in 10 seconds")
        let kinds: [(ActivityEvent.Kind, Duration)] = [
            (.started(requestBytes: 5), .zero),
            (.attemptEnded(attempt(1, status: nil, error: failure, start: .microseconds(3))), .microseconds(90_111)),
            (.retrying(attempt: 2, after: .microseconds(250_001), reason: "timeout"), .microseconds(90_112)),
            (.attemptEnded(attempt(2, status: 302, start: .microseconds(340_113))), .milliseconds(450)),
            (
                .attemptEnded(
                    attempt(3, status: 200, start: .milliseconds(451), url: "https://other.example.com/items/0")),
                .milliseconds(600)
            ),
            (.ended(.completed(status: 200, responseBytes: 333)), .microseconds(600_017)),
        ]
        try await store.write(
            kinds.enumerated().map { Events.event(0, $0 + 1, $1.0, elapsed: $1.1, operation: "getItem") })
        for number in 1...3 {
            store.record(
                PendingCapture(
                    Events.id(0), number: number, status: number == 1 ? nil : number == 2 ? 302 : 200,
                    requestHeaders: "accept: */*\nX-B: 2\nX-A: 1",
                    responseHeaders: number == 1
                        ? nil : "location: https://other.example.com/items/0\nset-cookie: <redacted>",
                    response: number == 3
                        ? CaptureContent.Body(bytes: Bytes("<p>é</p>".utf8), size: 9, isCut: false, type: "text/html")
                        : nil))
        }
    }

    private static func record(_ number: Int, _ store: ActivityStore, request: (String, Bytes), cutTo: Int? = nil) {
        let kept = cutTo.map { request.1[0..<$0] } ?? request.1
        let body = CaptureContent.Body(
            bytes: kept, size: Int64(request.1.count), isCut: cutTo != nil,
            type: request.0.prefix { $0 != ";" }.lowercased())
        for event in Events.call(number, method: .post) { store.record(event) }
        store.record(
            PendingCapture(
                Events.id(number), number: 1, status: 200, requestHeaders: "Content-Type: \(request.0)",
                responseHeaders: "content-type: \(request.0)", request: body, response: body))
    }

    private static func cached(_ store: ActivityStore) async throws {
        let kinds: [ActivityEvent.Kind] = [
            .started(requestBytes: nil), .cache(.init(.hit, .fresh)), .ended(.completed(status: 200, responseBytes: 2)),
        ]
        try await store.write(kinds.enumerated().map { Events.event(5, $0 + 1, $1, elapsed: .milliseconds(Int64($0))) })
        store.record(
            PendingCapture(
                Events.id(5), number: 0, status: 200, responseHeaders: "age: 3",
                response: CaptureContent.Body(bytes: Bytes("hi".utf8), size: 2, isCut: false, type: "text/plain")))
    }

    private static func message(_ number: Int) -> PendingMessage {
        let kind: StoredMessage.Kind = number % 10 == 0 ? .ping : number % 2 == 0 ? .binary : .text
        let start = StoredTime.microseconds(of: Events.start)
        return PendingMessage(
            Events.id(6), number: number, occurredAt: start + Int64(number) * 1_000_003, isSent: number % 3 == 0,
            kind: kind, size: Int64(number == 7 ? 1000 : 2), isCut: number == 7
        ) { kind == .text ? .text("\u{e9}") : .binary(Bytes([UInt8(number), 255])) }
    }

    /// The stored contents, without numbers that each file assigns anew.
    struct Content: Hashable {
        var details: [StoredDetail]
        var messages: [StoredMessage]
    }

    static func content(of store: some ActivityQueries, kinds: Set<StoredItem.Kind> = [.call, .socket]) async throws
        -> Content
    {
        var content = Content(details: [], messages: [])
        for item in try await store.items(limit: 10_000) where kinds.contains(item.kind) {
            guard var detail = try await store.item(uid: item.uid, kind: item.kind) else { continue }
            (detail.item.id, detail.item.run, detail.owned) = (0, 0, [])
            // The row of a call has no end for its only attempt.
            if detail.attempts.count == 1 { detail.attempts[0].end = nil }
            content.details.append(detail)
            if item.kind == .socket {
                content.messages += try await store.messages(of: item.uid, limit: 10_000)
            }
        }
        content.details.sort { ($0.item.uid, $0.item.kind.rawValue) < ($1.item.uid, $1.item.kind.rawValue) }
        return content
    }
}

extension TemporaryFolder {
    /// Returns the text of a file in the folder.
    func har(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }
}
