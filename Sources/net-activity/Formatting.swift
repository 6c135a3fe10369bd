#if Tools
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Duration {
    /// A duration such as `12.3 ms`, `4.56 s`, `2 m 05 s`.
    var short: String {
        let microseconds = inNanoseconds / 1000
        if microseconds < 1_000_000 { return (self * 1000).seconds(places: 1) + " ms" }
        if microseconds < 60_000_000 { return seconds(places: 2) + " s" }
        let seconds = microseconds / 1_000_000
        return "\(seconds / 60) m \(seconds % 60 < 10 ? "0" : "")\(seconds % 60) s"
    }
}

extension Date {
    /// A time such as `2026-01-31 12:00:00.123`, in UTC.
    var table: String {
        var text = RFC3339.format(self)
        text.removeLast()
        if !text.contains(".") { text += ".000" }
        return text.replacing("T", with: " ")
    }
}

extension StoredItem {
    /// The end of the ID: its beginning is the time, which entries next to each other share.
    var shortID: String { String(uid.description.suffix(8)) }

    /// The status if the server decided the call, otherwise the outcome; the level of a log line.
    var result: TextTable.Cell {
        let statusText = status.map(String.init)
        switch outcome {
        case .completed: return TextTable.Cell(statusText ?? "completed", .green)
        case .rejected: return TextTable.Cell(statusText ?? "rejected", (status ?? 0) >= 500 ? .red : .yellow)
        case .failed: return TextTable.Cell(failure?.code ?? "failed", .red)
        case .cancelled: return TextTable.Cell("cancelled", .yellow)
        case .cutOff: return TextTable.Cell("cut off", .yellow)
        case nil: return TextTable.Cell(level ?? "running")
        }
    }

    /// The outcome in a word.
    var ending: String {
        switch outcome {
        case .completed: "completed"
        case .rejected: "rejected"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .cutOff: "cutOff"
        case nil: kind == .log ? "logged" : "running"
        }
    }

    /// The subject: the path of a URL, or the message of a log line.
    var subject: String {
        // Only the beginning is ever shown, even of a text of megabytes.
        guard let url = url?.bounded(to: 8000) else { return message ?? name ?? "" }
        guard let host, let range = url.utf8.firstRange(of: host.utf8) else { return url }
        let path = url.utf8[range.upperBound...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return path.isEmpty ? "/" : String(Substring(path))
    }
}
#endif
