internal import HTTPTypes
internal import NetHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The calls of an app, as written by the other programs as well: 40 operations on 5 hosts, one attempt per call, 5% of
/// them failures.
struct CallSeries {
    /// The beginning of the first call.
    let start: Date
    /// The time between the beginnings of two calls.
    let step: Double
    private let operations = (0..<40).map { RequestMetadata(operationID: "operation\($0)") }

    /// Creates calls that are spread over the 24 hours before now.
    init(count: Int, now: Date = Date()) {
        step = 86_400 / Double(max(1, count))
        start = now.addingTimeInterval(-86_400)
    }

    /// Creates calls that begin now.
    init(now: Date) { (start, step) = (now, 0) }

    /// Returns a pseudorandom number, the same in each program.
    static func mix(_ number: Int) -> UInt64 {
        var value = UInt64(truncatingIfNeeded: number) &+ 0x9e37_79b9_7f4a_7c15
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }

    /// Returns a URL of about 95 bytes.
    static func url(_ number: Int) -> String {
        let mix = mix(number)
        let customer = String(10_000 + mix >> 8 % 90_000)
        return "https://api\(mix % 40 % 5).example.com/v1/customers/\(customer)/orders/\(1_000_000 + number)"
            + "?page=\(mix >> 40 % 10)&sort=created&expand=items,totals"
    }

    /// Returns the events of one call: its beginning, its attempt and its end.
    func events(_ number: Int) -> [ActivityEvent] {
        let mix = Self.mix(number)
        let date = start.addingTimeInterval(Double(number) * step)
        let id = CallID(high: UInt64(date.timeIntervalSince1970 * 1000) << 16 | 0x7000, low: mix)
        let url = Self.url(number)
        let method: HTTPRequest.Method = mix >> 20 % 20 < 16 ? .get : .post
        let isSlow = mix >> 24 % 50 == 0
        let took = Duration.microseconds(Int64(2000 + mix >> 28 % 98_000) * (isSlow ? 10 : 1))
        let ending = Ending(mix >> 32 % 100)
        var metrics = TransferMetrics(total: took, requestBytes: 0, responseBytes: 2000, version: "2")
        metrics.isReused = true
        metrics.queued = .microseconds(20)
        metrics.requestSent = .microseconds(200)
        metrics.firstByte = took - .microseconds(500)
        metrics.remoteAddress = "10.0.0.\(mix % 40 % 5):443"
        var attempt = ActivityEvent.Attempt(number: 1, status: ending.status, error: ending.error, metrics: metrics)
        attempt.start = .zero
        let outcome: ActivityEvent.Outcome
        switch ending {
        case .completed: outcome = .completed(status: 200, responseBytes: 2000)
        case .rejected: outcome = .rejected(status: 503, responseBytes: 2000)
        case .failed(let error): outcome = .failed(error)
        }
        let kinds: [(ActivityEvent.Kind, Duration)] = [
            (.started(requestBytes: 0), .zero), (.attemptEnded(attempt), took), (.ended(outcome), took),
        ]
        return kinds.enumerated().map { index, kind in
            ActivityEvent(
                call: id, sequence: index + 1,
                date: date.addingTimeInterval(Double(kind.1.components.attoseconds) / 1e18), elapsed: kind.1,
                method: method, url: url, metadata: operations[Int(mix % 40)], kind: kind.0)
        }
    }

    private enum Ending {
        case completed, rejected
        case failed(NetError)

        /// Rejects 3 of 100 calls; 2 of 100 fail.
        init(_ number: UInt64) {
            switch number {
            case 0..<3: self = .rejected
            case 3..<5:
                self = .failed(
                    NetError(
                        .connectionLost, phase: .receiving, message: "the connection was closed before the response"))
            default: self = .completed
            }
        }

        var status: Int? {
            switch self {
            case .completed: 200
            case .rejected: 503
            case .failed: nil
            }
        }

        var error: NetError? { if case .failed(let error) = self { error } else { nil } }
    }
}
