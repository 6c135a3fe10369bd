import Foundation
import HTTPTypes
import NetCore
import Synchronization

@testable import NetStore

/// Creates the events of calls, each a second after the previous one.
struct Events {
    static let start = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01T00:00:00Z

    /// Returns the ID of a call by its number; IDs of higher numbers sort after lower ones.
    static func id(_ number: Int) -> CallID {
        CallID(
            milliseconds: UInt64(start.timeIntervalSince1970 * 1000) + UInt64(number) * 1000,
            random: NetRandom { UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15 })
    }

    static func event(
        _ number: Int, _ sequence: Int, _ kind: ActivityEvent.Kind, elapsed: Duration = .zero,
        method: HTTPRequest.Method = .get, url: String? = nil, operation: String? = nil
    ) -> ActivityEvent {
        ActivityEvent(
            call: id(number), sequence: sequence,
            date: start.addingTimeInterval(Double(number) + Double(elapsed.components.attoseconds) / 1e18),
            elapsed: elapsed, method: method, url: url ?? "https://api.example.com/items/\(number)?page=2",
            metadata: RequestMetadata(operationID: operation), kind: kind)
    }

    /// The events of one call: started, one attempt, ended.
    static func call(
        _ number: Int, took: Duration = .milliseconds(12), status: Int = 200, operation: String? = nil,
        method: HTTPRequest.Method = .get, url: String? = nil, outcome: ActivityEvent.Outcome? = nil
    ) -> [ActivityEvent] {
        var metrics = TransferMetrics(total: took, requestBytes: 10, responseBytes: 2000, version: "1.1")
        metrics.isReused = true
        let attempt = ActivityEvent.Attempt(number: 1, status: status, metrics: metrics)
        let kinds: [(ActivityEvent.Kind, Duration)] = [
            (.started(requestBytes: 10), .zero), (.attemptEnded(attempt), took),
            (.ended(outcome ?? .completed(status: status, responseBytes: 2000)), took),
        ]
        return kinds.enumerated().map { index, kind in
            event(
                number, index + 1, kind.0, elapsed: kind.1, method: method, url: url, operation: operation)
        }
    }

    /// The events of a WebSocket: opened and closed.
    static func socket(_ number: Int, code: WebSocketCloseCode = .normalClosure) -> [SocketEvent] {
        let recording = SocketRecording()
        let recorder = SocketRecorder(
            [SocketEventListener(recording)].compactMap { $0 }, id(number), on: .client,
            url: "wss://api.example.com/live", metadata: .none, redaction: .safeDefault, clock: .system)
        recorder.opened(.init(subprotocol: "v1", address: "127.0.0.1:443"))
        recorder.record(.sent, .text("hello"))
        recorder.closed(
            NetError(
                code == .normalClosure ? .webSocketClosed : .connectionLost, phase: .receiving, message: "it has ended",
                closure: WebSocketClosure(code: code)))
        return recording.events
    }
}

/// Collects the events of a WebSocket.
private final class SocketRecording: ActivityListener {
    private let state = Mutex<[SocketEvent]>([])
    var interest: ActivityInterest { .sockets }
    var events: [SocketEvent] { state.withLock { $0 } }
    func record(_ event: ActivityEvent) {}
    func record(_ event: SocketEvent) { state.withLock { $0.append(event) } }
}

extension ActivityStore.Configuration {
    /// Settings that delete nothing, because the events of tests always have the same old dates.
    static let keeping = ActivityStore.Configuration(retention: .none)
}

extension ActivityStore {
    /// A store that deletes nothing.
    convenience init(at path: String) throws { try self.init(path: path, configuration: .keeping) }

    /// Records the events of calls and waits until they are committed.
    func write(_ calls: [ActivityEvent]...) async throws {
        for event in calls.joined() { record(event) }
        try await flush()
    }
}
