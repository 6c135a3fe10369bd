internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Evaluates a filter for one entry. ``FilterCondition`` does the same in SQL.
struct FilterEvaluation {
    let item: StoredItem
    let content: FilterContent?
    let now: Date

    func matches(_ node: FilterNode) -> Bool {
        switch node {
        case .term(let term): matches(term)
        case .not(let inner): !matches(inner)
        case .both(let members): members.allSatisfy(matches)
        case .either(let members): members.contains(where: matches)
        }
    }

    private func matches(_ term: FilterTerm) -> Bool {
        switch term {
        case .flag(let flag): return matches(flag)
        case .text(let field, let pattern): return matches(field, pattern)
        case .status(let range): return item.status.map(range.contains) ?? false
        case .slower(let limit): return item.duration.map { StoredTime.microseconds(of: $0) >= limit } ?? false
        case .faster(let limit): return item.duration.map { StoredTime.microseconds(of: $0) < limit } ?? false
        case .larger(let bytes):
            return [item.requestBytes, item.responseBytes].contains { $0.map { $0 >= bytes } ?? false }
        case .since(let moment): return start >= moment.resolved(now: StoredTime.microseconds(of: now))
        case .until(let moment): return start < moment.resolved(now: StoredTime.microseconds(of: now))
        case .run(let number): return item.run == number
        }
    }

    private var start: Int64 { StoredTime.microseconds(of: item.startedAt) }

    private func matches(_ flag: FilterFlag) -> Bool {
        switch flag {
        case .failed: item.outcome.map { $0.rawValue >= StoredItem.Outcome.failed.rawValue } ?? false
        case .withoutStatus: item.kind != .log && item.status == nil
        case .withStatus: item.kind != .log && item.status != nil
        case .marked: item.isPinned
        case .webSocket: item.kind == .socket
        case .retried: item.retries > 0
        case .reused: item.isReused ?? false
        case .job: item.kind == .job
        case .log: item.kind == .log
        }
    }

    private func matches(_ field: FilterField, _ pattern: FilterPattern) -> Bool {
        func text(_ values: String?...) -> Bool { values.contains { FilterSubject.text.matches($0, pattern) } }
        switch field {
        case .word: return text(item.url, item.operation)
        case .host: return FilterSubject.host.matches(item.host, pattern)
        case .url: return text(item.url)
        case .method: return text(item.method)
        case .header: return hasHeader(.request, pattern) || hasHeader(.response, pattern)
        case .requestHeader: return hasHeader(.request, pattern)
        case .responseHeader: return hasHeader(.response, pattern)
        case .body:
            return item.kind == .log && text(item.message) || hasBody(.request, pattern) || hasBody(.response, pattern)
        case .requestBody: return hasBody(.request, pattern)
        case .responseBody: return hasBody(.response, pattern)
        case .contentType: return text(item.requestType, item.responseType)
        case .operation: return text(item.operation)
        case .tag: return item.tags.contains { text($0) }
        case .comment: return text(item.comment)
        case .error: return hasError(pattern)
        case .cache: return text(item.cache)
        }
    }

    private func hasHeader(_ side: FilterContent.Side, _ pattern: FilterPattern) -> Bool {
        FilterSubject.lines.matches(content?.headers(side), pattern)
    }

    private func hasBody(_ side: FilterContent.Side, _ pattern: FilterPattern) -> Bool {
        content?.bodies(side).contains { $0.withUnsafeBytes { FilterSubject.body.matches($0, pattern) } } ?? false
    }

    private func hasError(_ pattern: FilterPattern) -> Bool {
        guard let outcome = item.outcome, outcome != .completed else { return false }
        return [item.failure?.code, item.failure?.message, outcome.errorWord]
            .contains { FilterSubject.text.matches($0, pattern) }
    }
}

extension StoredItem.Outcome {
    /// The word with which `~error` finds an entry that ended this way, even without a failure.
    var errorWord: String? {
        switch self {
        case .cancelled: "cancelled"
        case .cutOff: "cutOff"
        case .completed, .rejected, .failed: nil
        }
    }
}
