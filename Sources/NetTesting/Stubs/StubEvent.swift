internal import NetCore

/// An event that a stub sends as `text/event-stream`.
public struct StubEvent: Sendable, Hashable {
    /// The data; each line becomes a `data:` line.
    public var data: String
    /// The `event:` line. Default nil.
    public var name: String?
    /// The `id:` line. Default nil.
    public var id: String?
    /// The `retry:` line. Default nil.
    public var retry: Duration?
    /// The pause before the event. Default zero.
    public var delay: Duration

    /// Creates an event.
    public init(
        _ data: String, name: String? = nil, id: String? = nil, retry: Duration? = nil, after delay: Duration = .zero
    ) {
        self.data = data
        self.name = name
        self.id = id
        self.retry = retry
        self.delay = delay
    }

    var encoded: String {
        var lines: [String] = []
        if let id { lines.append("id: \(id)") }
        if let name { lines.append("event: \(name)") }
        if let retry { lines.append("retry: \(retry.inMillisecondsRoundedUp)") }
        lines += data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)" }
        return lines.joined(separator: "\n") + "\n\n"
    }
}
