internal import NetCore

/// An event of a WebSocket waiting in the queue.
final class PendingSocketEvent: Sendable {
    enum Kind: Sendable {
        case opened(subprotocol: String?, address: String?)
        case closed(Ending)
    }

    /// The end of a WebSocket, and its totals.
    struct Ending: Sendable {
        let code: Int
        let failure: PendingEvent.Failure?
        let sent, received: SocketEvent.Total
    }

    let socket: CallID
    let occurredAt: Int64
    let elapsed: Int64
    let url: String
    let metadata: RequestMetadata
    let kind: Kind

    /// Returns nil for an event that isn't stored.
    init?(_ event: SocketEvent) {
        switch event.kind {
        case .opened(let opening): kind = .opened(subprotocol: opening.subprotocol, address: opening.address)
        case .closed(let ending):
            let isOrderly = ending.code == .normalClosure || ending.code == .goingAway
            kind = .closed(
                Ending(
                    code: Int(ending.code.rawValue), failure: isOrderly ? nil : PendingEvent.Failure(ending.error),
                    sent: ending.sent, received: ending.received))
        case .frame, .roundTrip: return nil
        }
        socket = event.socket
        occurredAt = StoredTime.microseconds(of: event.date)
        elapsed = StoredTime.microseconds(of: event.elapsed)
        url = event.url
        metadata = event.metadata
    }

    var isEnd: Bool { if case .closed = kind { true } else { false } }
    var startedAt: Int64 { occurredAt.subtractingReportingOverflow(elapsed).partialValue }
    var bytes: Int { 320 + url.utf8.count }
}
