import Foundation
import NetCore

@testable import NetStore

/// Entries with random contents, and expressions that match some of them.
struct FilterSamples {
    static let now = Date(timeIntervalSince1970: 1_795_000_000)

    private static let hosts = [
        "api.example.com", "api.example.com:8443", "cdn.example.org", "[::1]:8080", "localhost:80",
    ]
    private static let paths = ["/users/7", "/Users?page=2&limit=10", "/images/logo.png", "/search?q=a%20b", "/größe"]
    private static let operations = ["getUser", "listUsers", "upload_image"]
    private static let methods = ["GET", "POST", "DELETE"]
    private static let tags = ["slow lane", "beta", "sync:\"7\"", "größe"]
    private static let types = ["application/json", "text/html", "image/png"]
    private static let words = ["Hello", "hello world", "größe", "GRÖSSE", "{\"id\": 7}", "a\nb", "*", "timeout"]
    private static let errors = ["timeout", "connectionLost", "dns"]
    private static let caches = ["hit", "miss", "revalidate"]

    private var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed) }

    mutating func item(_ number: Int) -> StoredItem {
        let kinds: [StoredItem.Kind] = [.call, .call, .call, .call, .socket, .job, .log]
        let kind = numbers.one(of: kinds)
        var item = StoredItem(
            id: Int64(number), uid: CallID(high: UInt64(number), low: 7), kind: kind, run: Int64(number % 3),
            startedAt: Self.now.addingTimeInterval(-Double(number * 60)))
        if kind == .log {
            item.message = numbers.one(of: Self.words)
            item.level = "info"
            return note(item)
        }
        item.outcome = numbers.one(of: StoredItem.Outcome.allCases)
        item.duration = .microseconds(numbers.one(of: [900, 499_999, 500_000, 2_000_000, 61_000_000]))
        let hasFailure = item.outcome == .failed || (item.outcome == .cancelled && numbers.once(in: 2))
        if hasFailure {
            item.failure = StoredFailure(
                code: numbers.one(of: Self.errors), phase: "sending", message: numbers.one(of: Self.words))
        }
        if item.outcome == .completed || numbers.once(in: 2) {
            item.status = numbers.one(of: kind == .socket ? [1000, 1006] : [200, 204, 304, 404, 429, 500, 503])
        }
        describe(&item)
        return note(item)
    }

    /// Sets the properties that are known at the beginning of an entry.
    private mutating func describe(_ item: inout StoredItem) {
        let host = numbers.one(of: Self.hosts)
        item.host = host
        item.url = "https://\(host)\(numbers.one(of: Self.paths))"
        item.method = numbers.one(of: Self.methods)
        item.operation = numbers.once(in: 3) ? nil : numbers.one(of: Self.operations)
        item.tags = numbers.once(in: 2) ? [] : [numbers.one(of: Self.tags), numbers.one(of: Self.tags)]
        item.retries = numbers.once(in: 4) ? 2 : 0
        item.cache = numbers.once(in: 2) ? nil : numbers.one(of: Self.caches)
        item.requestBytes = numbers.one(of: [nil, 0, 999, 1000])
        item.responseBytes = numbers.one(of: [nil, 0, 1024, 1_500_000])
        item.requestType = numbers.once(in: 2) ? nil : numbers.one(of: Self.types)
        item.responseType = numbers.once(in: 2) ? nil : numbers.one(of: Self.types)
        item.isReused = numbers.one(of: [nil, true, false])
    }

    private mutating func note(_ item: StoredItem) -> StoredItem {
        var item = item
        item.isPinned = numbers.once(in: 5)
        item.comment = numbers.once(in: 5) ? numbers.one(of: Self.words) : nil
        return item
    }

    mutating func content(of item: StoredItem) -> SampleContent {
        var content = SampleContent()
        func bytes(_ numbers: inout SeededNumbers) -> [UInt8]? {
            numbers.once(in: 4)
                ? nil : numbers.once(in: 6) ? [0xff, 0x68, 0x69, 0] : Array(numbers.one(of: Self.words).utf8)
        }
        if item.kind == .call && item.id > 0 && !numbers.once(in: 4) {
            for _ in 0..<(numbers.once(in: 3) ? 2 : 1) {
                content.captures.append(
                    SampleContent.Capture(
                        requestHeaders: "accept: */*\nx-word: \(numbers.one(of: Self.operations))",
                        requestBody: bytes(&numbers),
                        responseHeaders: numbers.once(in: 4) ? nil : "content-type: \(numbers.one(of: Self.types))",
                        responseBody: bytes(&numbers), trailers: numbers.once(in: 4) ? "grpc-status: 0" : nil))
            }
        }
        if item.kind == .socket {
            for _ in 0..<3 {
                let text = numbers.once(in: 2)
                content.messages.append(
                    SampleContent.Message(
                        isSent: numbers.once(in: 2), isText: text,
                        bytes: text ? Array(numbers.one(of: Self.words).utf8) : bytes(&numbers) ?? []))
            }
        }
        return content
    }

    /// Returns an expression with at most the given number of levels of parentheses.
    mutating func expression(depth: Int) -> String {
        var parts: [String] = []
        for _ in 0..<Int.random(in: 1...3, using: &numbers) {
            let negation = numbers.once(in: 4) ? "!" : ""
            let isGroup = depth > 0 && numbers.once(in: 3)
            parts.append(negation + (isGroup ? "(\(expression(depth: depth - 1)))" : term()))
        }
        return parts.dropFirst().reduce(parts[0]) { $0 + numbers.one(of: [" ", " & ", " | "]) + $1 }
    }

    private mutating func term() -> String {
        let names = FilterTermName.names.map(\.name) + ["", "", ""]
        let name = numbers.one(of: names)
        let value: String
        switch FilterTermName(name) {
        case .all, .flag: return "~" + name
        case .status: value = numbers.one(of: ["200", "5xx", "50x", "404-503", "1000", "1000-1006", "100-399"])
        case .slower, .faster: value = numbers.one(of: ["500ms", "0.9ms", "2s", "1m", "499.999ms", "0.5s"])
        case .larger: value = numbers.one(of: ["1KB", "1KiB", "1.5MB", "0", "999B"])
        case .since, .until:
            value = numbers.one(of: ["15m", "1.5h", "0s", "2026-11-17", "2026-11-18T11:06:40.000001Z"])
        case .run: value = numbers.one(of: ["0", "1", "7"])
        case .text, nil: value = pattern()
        }
        return name.isEmpty ? value : "~\(name) \(value)"
    }

    private mutating func pattern() -> String {
        let all =
            Self.hosts + Self.paths + Self.operations + Self.methods + Self.tags + Self.types + Self.words
            + Self.errors + Self.caches + [
                "cancelled", "accept: */*", "x-word: getUser", "grpc-status", "example", ":8443", "",
            ]
        var text = numbers.one(of: all)
        if numbers.once(in: 2) { text = String(text.prefix(Int.random(in: 0...6, using: &numbers))) }
        if numbers.once(in: 4) { text = text.uppercased() }
        if numbers.once(in: 4) { text = numbers.one(of: ["*" + text, text + "*", "*" + text + "*", "?" + text]) }
        let pattern = FilterPattern(numbers.once(in: 3) ? ActivityFilter.literal(text) : text)
        return ActivityFilter(node: .term(.text(.word, pattern))).description
    }
}
