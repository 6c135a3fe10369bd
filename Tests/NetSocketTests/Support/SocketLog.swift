import NetCore
import Synchronization

/// Records the events of WebSockets and sessions, one line per event.
final class SocketLog: ActivityListener {
    let interest: ActivityInterest
    private let events = Mutex<[SocketEvent]>([])
    private let kept = Mutex<[SessionActivity]>([])

    init(_ interest: ActivityInterest = [.sockets, .socketFrames]) { self.interest = interest }

    func record(_ event: ActivityEvent) {}
    func record(_ event: SocketEvent) { events.withLock { $0.append(event) } }
    func record(_ activity: SessionActivity) { kept.withLock { $0.append(activity) } }

    var activities: [SessionActivity] { kept.withLock { $0 } }
    /// The events of WebSockets.
    var lines: [String] { events.withLock { $0 }.map { Self.line($0.kind) } }
    /// The addresses of the opened WebSockets.
    var addresses: [String?] {
        events.withLock { $0 }.compactMap { if case .opened(let opening) = $0.kind { opening.address } else { nil } }
    }

    private static func line(_ kind: SocketEvent.Kind) -> String {
        switch kind {
        case .opened(let opening):
            "opened \(opening.subprotocol ?? "-") \(opening.compression == nil ? "plain" : "compressed")"
        case .frame(let frame): "\(frame.direction) \(frame.kind) \(frame.bytes)"
        case .roundTrip(let time): "round trip \(time)"
        case .closed(let end):
            "closed \(end.code.rawValue) \(end.error.code) sent \(end.sent.messages), \(end.sent.bytes) "
                + "received \(end.received.messages), \(end.received.bytes)"
        }
    }
}
