#if Server
import NetCore
import TestSupport

/// Keeps a server's reports.
final class Watcher: ActivityListener {
    let interest: ActivityInterest
    private let all = Locked<[SocketServerActivity]>([])
    private let events = Locked<[SocketEvent]>([])
    /// Called before the end of a connection is noted.
    private let onClosed: @Sendable () -> Void

    init(_ interest: ActivityInterest = .socketServers, onClosed: @escaping @Sendable () -> Void = {}) {
        self.interest = interest
        self.onClosed = onClosed
    }

    func record(_ event: ActivityEvent) {}
    func record(_ event: SocketEvent) { events.change { $0.append(event) } }
    func record(_ activity: SocketServerActivity) {
        if case .closed = activity.kind { onClosed() }
        all.change { $0.append(activity) }
    }

    var activities: [SocketServerActivity] { all.value }
    var sockets: [SocketEvent] { events.value }
    var lines: [String] { activities.map { Self.line($0.kind) } }
    /// The commands, by name, outcome and code.
    var commands: [String] { lines.filter { $0.hasPrefix("command") } }
    var socketLines: [String] { sockets.map { Self.line($0.kind) } }

    private static func line(_ kind: SocketServerActivity.Kind) -> String {
        switch kind {
        case .refused(let reason, let status): "refused \(reason) \(status.map(String.init) ?? "-")"
        case .opened(let opening):
            "opened \(opening.wire) \(opening.subprotocol ?? "-") \(opening.isAuthenticated ? "known" : "unknown")"
        case .authenticated: "authenticated"
        case .joined(let topic): "joined \(topic)"
        case .notJoined(let pattern, let code): "not joined \(pattern ?? "-") \(code)"
        case .left(let topic): "left \(topic)"
        case .command(let command):
            "command \(command.event) \(command.topic ?? "-") \(command.executor)\(command.isSerial ? " serial" : "") "
                + "\(command.outcome) \(command.code ?? "-")"
        case .subscribed: "subscribed"
        case .unsubscribed(_, let code): "unsubscribed \(code ?? "-")"
        case .dropped(let count, let reason): "dropped \(count) \(reason)"
        // In memory, a link that the client closes is also cancelled: either may come first.
        case .closed(let code, _): "closed \(code == .normalClosure ? .goingAway : code)"
        case .gap(let topic): "gap \(topic)"
        case .fanOutAway: "fan-out away"
        case .fanOutBack: "fan-out back"
        case .unreadable(let bytes): "unreadable \(bytes)"
        case .drainBegan(let count): "drain began \(count)"
        case .drainEnded(let count): "drain ended \(count)"
        }
    }

    private static func line(_ kind: SocketEvent.Kind) -> String {
        switch kind {
        case .opened(let opening): "opened \(opening.subprotocol ?? "-")"
        case .frame(let frame):
            "\(frame.direction) \(frame.kind) \(frame.bytes)" + (frame.preview.map { " \($0)" } ?? "")
        case .roundTrip: "round trip"
        case .closed(let ending):
            "closed \(ending.code == .normalClosure ? .goingAway : ending.code) \(ending.sent.messages)/\(ending.received.messages) \(ending.error.code)"
        }
    }
}
#endif
