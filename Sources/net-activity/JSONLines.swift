#if Tools
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A line of `--json`: the columns of an entry, with durations in microseconds.
struct ItemLine: Encodable {
    let id: Int64?
    let uid, kind, startedAt: String
    let method, url, operation, name: String?
    let tags: [String]
    let outcome: String
    let status: Int?
    let durationMicroseconds: Int64?
    let attempts, retries: Int
    let requestBytes, responseBytes: Int64?
    let errorCode, errorPhase, errorMessage: String?
    let level, message, cache, cacheReason, owner: String?

    init(_ item: StoredItem) {
        id = item.id == 0 ? nil : item.id
        uid = item.uid.description
        kind = "\(item.kind)"
        startedAt = RFC3339.format(item.startedAt)
        method = item.method
        url = item.url
        operation = item.operation
        name = item.name
        tags = item.tags
        outcome = item.ending
        status = item.status
        durationMicroseconds = item.duration.map { $0.inNanoseconds / 1000 }
        attempts = item.attempts
        retries = item.retries
        requestBytes = item.requestBytes
        responseBytes = item.responseBytes
        errorCode = item.failure?.code
        errorPhase = item.failure?.phase
        errorMessage = item.failure?.message
        level = item.level
        message = item.message
        cache = item.cache
        cacheReason = item.cacheReason
        owner = item.owner?.description
    }
}

extension Encodable {
    /// Returns one line of JSON with sorted keys; absent values are omitted. Terminal control characters are escaped.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(self), as: UTF8.self)
        guard text.unicodeScalars.contains(where: TerminalText.steers) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard TerminalText.steers(scalar) else {
                escaped.append(scalar)
                continue
            }
            // Such a character is always in a string, since there is no whitespace between tokens. All have at most
            // four digits.
            let digits = String(scalar.value, radix: 16)
            escaped += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
        }
        return String(escaped)
    }
}
#endif
