#if Tools
internal import Foundation
internal import NetCore
internal import NetHTTP

/// Formats an event as a line if there is no terminal; some events have none.
struct PlainLine: Sendable {
    /// The minimum time between two progress lines of a download.
    static let interval = Duration.seconds(10)

    /// The times of the last progress lines, by download, on the monotonic clock.
    private var told: [UUID: Duration] = [:]

    mutating func text(of event: DownloadEvent, _ row: Row, now: Duration) -> String? {
        let id = event.task.id
        switch event.kind {
        case .state(.downloading), .state(.uploading):
            told[id] = now
            return "started    \(row.name)"
        case .state(.completed):
            let path = event.task.localURL.map { TerminalText.clean($0.path) }
            let place = event.task.location.map { "  \(TerminalText.clean(Printed.url($0)))" } ?? ""
            return "completed  \(path ?? row.name)  \(row.amount)\(place)"
        case .state(.failed): return "failed     \(row.name): \(row.remark ?? "for an unknown reason")"
        case .state(.waiting): return "waiting    \(row.name)\(row.remark.map { ": \($0)" } ?? "")"
        case .state(.paused), .state(.cancelled):
            return "\(TerminalText.fit(row.state.rawValue, to: 10)) \(row.name)  \(row.amount)"
        case .progress:
            guard row.state.isRunning, now - (told[id] ?? .zero) >= Self.interval else { return nil }
            told[id] = now
            let parts = [row.percent, row.amount, row.rate, row.countdown.isEmpty ? "" : "\(row.countdown) left"]
            return
                "\(row.state == .uploading ? "sending" : "loading")    \(row.name)  \(parts.filter { !$0.isEmpty }.joined(separator: ", "))"
        case .ranges(let count): return count > 1 ? "loading    \(row.name) in \(count) ranges" : nil
        case .added, .removed, .error, .state(.queued): return nil
        }
    }
}
#endif
