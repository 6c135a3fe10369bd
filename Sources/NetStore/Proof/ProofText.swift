internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The cells of the tables in a bundle.
enum ProofText {
    /// Returns the status, or the outcome if there is none.
    static func result(of item: StoredItem) -> String {
        if item.outcome == .completed || item.outcome == .rejected, let status = item.status { return "\(status)" }
        return item.failure?.code ?? item.outcome.map { "\($0)" } ?? "under way"
    }

    static func facts(of item: StoredItem) -> [[String]] {
        var facts = [["Call", item.uid.description], ["Started", time(item.startedAt) + " UTC"]]
        if let url = item.url {
            facts.append(["Request", [item.method, url].compactMap { $0 }.joined(separator: " ")])
        }
        if let operation = item.operation { facts.append(["Operation", operation]) }
        if !item.tags.isEmpty { facts.append(["Tags", item.tags.joined(separator: ", ")]) }
        facts.append(["Result", result(of: item)])
        if let duration = item.duration { facts.append(["Took", short(duration)]) }
        if item.attempts > 1 { facts.append(["Attempts", "\(item.attempts)"]) }
        if let cache = item.cache { facts.append(["Cache", cache + (item.cacheReason.map { " (\($0))" } ?? "")]) }
        if let bytes = item.requestBytes { facts.append(["Sent", TerminalText.bytes(bytes)]) }
        if let bytes = item.responseBytes { facts.append(["Received", TerminalText.bytes(bytes)]) }
        if let comment = item.comment { facts.append(["Comment", comment]) }
        return facts
    }

    static func row(_ attempt: StoredAttempt) -> [String] {
        let phases = attempt.phases
        let times = [
            phases.lookup, phases.connect, phases.secure, phases.sending, phases.waiting, phases.download,
            attempt.duration,
        ]
        let connection = [
            attempt.isReused.map { $0 ? "used" : "new" }, attempt.version.map { "HTTP/\($0)" }, attempt.remoteAddress,
        ]
        let retry = attempt.retryReason.map { reason in
            "again (\(reason))" + (attempt.retryDelay.map { " after \(short($0))" } ?? "")
        }
        let result = attempt.failure?.code ?? attempt.status.map(String.init) ?? "no response"
        var cells: [String] = ["\(attempt.number)", attempt.start.map(short) ?? "", result]
        for time in times { cells.append(time.map(short) ?? "") }
        cells.append(connection.compactMap { $0 }.joined(separator: " "))
        return cells + [retry ?? ""]
    }

    static func row(_ message: StoredMessage) -> [String] {
        let content = message.text ?? "\(message.kind), \(TerminalText.bytes(message.size))"
        let cut = content.count > 200 ? content.prefix(199) + "…" : content[...]
        return [time(message.date), message.isSent ? "→" : "←", String(cut)]
    }

    static func line(_ item: StoredItem) -> [String] {
        [time(item.startedAt), item.level ?? "", item.message ?? ""]
    }

    /// Returns a first line followed by headers.
    static func lines(_ first: String, _ fields: [StoredExchange.Field]) -> String {
        ([first] + fields.map { "\($0.name): \($0.value)" }).joined(separator: "\n")
    }

    /// Returns text; nil for bytes that aren't text. Omits an incomplete character at the end.
    static func text(_ bytes: some Collection<UInt8>) -> String? {
        let bytes = Array(bytes)
        for dropped in 0..<4 where dropped <= bytes.count {
            guard let text = String(validating: bytes.dropLast(dropped), as: UTF8.self) else { continue }
            return text.utf8.contains(0) ? nil : text
        }
        return nil
    }

    /// Returns a time such as `2026-01-31 12:00:00.123`.
    private static func time(_ date: Date) -> String {
        RFC3339.format(date).replacing("T", with: " ").replacing("Z", with: "")
    }

    /// Returns a duration such as `12.3 ms`.
    private static func short(_ duration: Duration) -> String {
        let microseconds = duration.inNanoseconds / 1000
        if microseconds >= 1_000_000 { return duration.seconds(places: 2) + " s" }
        return (duration * 1000).seconds(places: 1) + " ms"
    }
}
