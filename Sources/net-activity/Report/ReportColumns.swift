#if Tools
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The list of a report as columns, and its attempts as rows. All numbers are integers: microseconds, bytes, text
/// numbers.
struct ReportColumns {
    private(set) var count = 0
    private(set) var columns: [(name: String, values: [Int64?])] = []
    private(set) var attempts: [[Int64?]] = []
    private(set) var texts = ReportTexts()
    private(set) var ids: [String] = []
    private var numbersOfIDs: [CallID: Int64] = [:]

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - part: The part that contains the entry's content; nil if it has none.
    ///   - number: The entry's number in that part; nil if that is its position in the list.
    mutating func add(_ entry: ReportEntry, part: Int64?, number: Int64?) {
        let item = entry.item
        var row: [(String, Int64?)] = [
            ("uid", id(item.uid)), ("owner", item.owner.map { id($0) }), ("kind", Int64(item.kind.rawValue)),
            ("run", item.run), ("start", item.startedAt.microseconds), ("duration", item.duration?.microseconds),
            ("outcome", item.outcome.map { Int64($0.rawValue) }), ("status", item.status.map(Int64.init)),
            ("attempts", Int64(item.attempts)), ("retries", Int64(item.retries)),
            ("requestBytes", item.requestBytes), ("responseBytes", item.responseBytes),
            ("reused", item.isReused.map { $0 ? 1 : 0 }), ("pinned", item.isPinned ? 1 : nil), ("part", part),
            ("hidden", entry.isHidden ? 1 : nil), ("number", number),
        ]
        let texts: [(String, String?)] = [
            ("method", item.method), ("operation", item.operation), ("name", item.name), ("host", item.host),
            ("url", item.url), ("error", item.failure?.code), ("phase", item.failure?.phase),
            ("message", item.failure?.message ?? item.message), ("cache", item.cache),
            ("cacheReason", item.cacheReason), ("requestType", item.requestType),
            ("responseType", item.responseType), ("version", item.version), ("remote", item.remoteAddress),
            ("level", item.level), ("detail", item.detail), ("comment", item.comment),
            ("tags", item.tags.isEmpty ? nil : Self.json(item.tags)),
        ]
        for (name, text) in texts { row.append((name, self.texts.number(text))) }
        append(row)
        for attempt in entry.attempts { attempts.append(self.row(attempt, of: item)) }
        count += 1
    }

    private mutating func append(_ row: [(String, Int64?)]) {
        if columns.isEmpty { columns = row.map { ($0.0, []) } }
        for (index, value) in row.enumerated() { columns[index].values.append(value.1) }
    }

    private mutating func id(_ id: CallID) -> Int64 {
        if let known = numbersOfIDs[id] { return known }
        let number = Int64(ids.count)
        ids.append(id.description)
        numbersOfIDs[id] = number
        return number
    }

    private mutating func row(_ attempt: StoredAttempt, of item: StoredItem) -> [Int64?] {
        let phases = attempt.phases
        let method = attempt.method == item.method ? nil : attempt.method
        let url = attempt.url == item.url ? nil : attempt.url
        return [
            Int64(count), Int64(attempt.number), attempt.start?.microseconds, attempt.duration?.microseconds,
            attempt.status.map(Int64.init), texts.number(attempt.failure?.code), texts.number(attempt.failure?.phase),
            texts.number(attempt.failure?.message), texts.number(method), texts.number(url),
            texts.number(attempt.version), attempt.isReused.map { $0 ? 1 : 0 }, texts.number(attempt.remoteAddress),
            texts.number(attempt.trace?.description), attempt.retryDelay?.microseconds,
            texts.number(attempt.retryReason), attempt.requestBytes, attempt.responseBytes,
            phases.queued?.microseconds, phases.lookup?.microseconds, phases.connect?.microseconds,
            phases.secure?.microseconds, phases.sending?.microseconds, phases.waiting?.microseconds,
            phases.download?.microseconds,
        ]
    }

    private static func json(_ texts: [String]) -> String {
        var output = JSONOutput()
        output.array(texts) { $0.string($1) }
        return String(decoding: output.bytes, as: UTF8.self)
    }
}

extension Duration {
    /// Whole microseconds.
    var microseconds: Int64 { inNanoseconds / 1000 }
}

extension Date {
    /// Whole microseconds since 1970.
    var microseconds: Int64 { Int64((timeIntervalSince1970 * 1e6).rounded()) }
}
#endif
