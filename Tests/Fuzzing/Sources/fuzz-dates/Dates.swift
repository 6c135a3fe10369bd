import Foundation
import FuzzSupport
import NetClient
import NetCore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The bytes are a date of HTTP or RFC 3339, a `Retry-After` and rate limits. A decoded date must encode, and decode
/// again to the same; a delay is never negative.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    if let date = HTTPDate.date(from: text) {
        let written = HTTPDate.string(from: date)
        // A leap second at the end of the last year has no representation.
        guard HTTPDate.date(from: written) == date || date.timeIntervalSince1970 >= 253_402_300_800 else {
            fatalError("\(text) is written as \(written)")
        }
    }
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    if let delay = HTTPDate.delay(retryAfter: text, now: now), delay < .zero { fatalError("\(text): \(delay)") }
    for name in ["RateLimit", "RateLimit-Policy", "X-RateLimit-Reset"] {
        guard let name = HTTPField.Name(name) else { return 0 }
        let remaining: HTTPField.Name = "X-RateLimit-Remaining"
        var headers: HTTPFields = [remaining: "1"]
        headers[name] = text
        for limit in RateLimit.list(in: headers, now: now) {
            guard (limit.reset ?? .zero) >= .zero, (limit.limit ?? 0) >= 0, (limit.remaining ?? 0) >= 0 else {
                fatalError("\(text): \(limit)")
            }
        }
    }
    return 0
}
