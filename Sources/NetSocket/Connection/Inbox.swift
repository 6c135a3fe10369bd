#if os(Linux)
internal import NetCore

/// What has arrived and was not received yet, bounded: above the limit the loop stops reading, below half it goes on.
struct Inbox {
    /// What a message costs beside its payload, so that a flood of empty ones is bounded too.
    private static let messageCost = 64

    enum TakeAction {
        case messages([WebSocketMessage], resumesReading: Bool)
        case ended(NetError)
        case wait
    }

    private let limit: Int
    private var messages: [WebSocketMessage] = []
    private var bytes = 0
    private(set) var ending: NetError?
    /// Whether the loop left bytes in the kernel because of the limit.
    private(set) var isReadingPaused = false
    private var receiver: UnsafeContinuation<Void, Never>?

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes what the loop read, and says who is to be resumed.
    mutating func append(_ batch: inout [WebSocketMessage], bytes size: Int) -> UnsafeContinuation<Void, Never>? {
        guard ending == nil, !batch.isEmpty else {
            batch.removeAll(keepingCapacity: true)
            return nil
        }
        bytes += size + batch.count * Self.messageCost
        if messages.isEmpty { swap(&messages, &batch) } else { messages.append(contentsOf: batch) }
        batch.removeAll(keepingCapacity: true)
        return receiver.take()
    }

    /// Whether the loop must stop reading now.
    mutating func pausesReading() -> Bool {
        isReadingPaused = ending == nil && bytes >= limit
        return isReadingPaused
    }

    /// The connection has ended; what was there before can still be taken.
    mutating func end(_ error: NetError) -> UnsafeContinuation<Void, Never>? {
        guard ending == nil else { return nil }
        ending = error
        return receiver.take()
    }

    mutating func take() -> TakeAction {
        guard messages.isEmpty else {
            let resumes = isReadingPaused
            isReadingPaused = false
            bytes = 0
            defer { messages = [] }
            return .messages(messages, resumesReading: resumes)
        }
        if let ending { return .ended(ending) }
        return .wait
    }

    /// Lets a receiver wait; false when there is something to take, or the task is cancelled.
    mutating func wait(_ continuation: UnsafeContinuation<Void, Never>) -> Bool {
        guard messages.isEmpty, ending == nil, receiver == nil else { return false }
        receiver = continuation
        return true
    }

    var hasReceiver: Bool { receiver != nil }

    mutating func cancelReceiver() -> UnsafeContinuation<Void, Never>? { receiver.take() }
}
#endif
