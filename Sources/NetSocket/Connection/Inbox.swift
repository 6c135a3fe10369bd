#if os(Linux)
internal import NetCore

/// The messages that have arrived and haven't been received, up to a limit. The loop stops reading when the limit is
/// reached, and continues when the messages have been taken.
struct Inbox {
    /// The cost of a message in addition to its payload, in bytes, so that a flood of empty messages is bounded, too.
    private static let messageCost = 64

    enum TakeAction {
        case messages([WebSocketMessage], resumesReading: Bool)
        case ended(NetError)
        /// There are no messages. `signals` is true if the loop must be woken, because it is waiting for this.
        case wait(signals: Bool)
    }

    private let limit: Int
    private var messages: [WebSocketMessage] = []
    private var bytes = 0
    private(set) var ending: NetError?
    /// True if the loop has left bytes in the kernel because of the limit.
    private(set) var isReadingPaused = false
    /// True if the receiver has messages and hasn't asked for more.
    private var isAnswering = false
    /// True if the loop waits for the receiver to ask for more.
    private var isEndHeld = false
    private var receiver: UnsafeContinuation<Void, Never>?

    init(limit: Int) {
        self.limit = limit
    }

    /// Appends messages that the loop has read. Returns the receiver to resume.
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

    /// Returns true if the loop must stop reading now, and records it.
    ///
    /// - Parameter factor: The multiple of the limit that may be taken.
    mutating func pausesReading(beyond factor: Int = 1) -> Bool {
        isReadingPaused = ending == nil && bytes / factor >= limit
        return isReadingPaused
    }

    /// Returns true if the receiver hasn't taken all messages and asked for more. In that case, the next `take` that
    /// finds no messages asks for a signal.
    mutating func holdsEnd() -> Bool {
        isEndHeld = !messages.isEmpty || isAnswering
        return isEndHeld
    }

    /// Records the end of the connection. Returns the receiver to resume. Earlier messages can still be taken.
    mutating func end(_ error: NetError) -> UnsafeContinuation<Void, Never>? {
        guard ending == nil else { return nil }
        ending = error
        return receiver.take()
    }

    mutating func take() -> TakeAction {
        guard messages.isEmpty else {
            let resumes = isReadingPaused
            isReadingPaused = false
            isAnswering = true
            bytes = 0
            defer { messages = [] }
            return .messages(messages, resumesReading: resumes)
        }
        if let ending { return .ended(ending) }
        isAnswering = false
        defer { isEndHeld = false }
        return .wait(signals: isEndHeld)
    }

    /// Registers a waiting receiver. Returns false if there is something to take, or another receiver is waiting.
    mutating func wait(_ continuation: UnsafeContinuation<Void, Never>) -> Bool {
        guard messages.isEmpty, ending == nil, receiver == nil else { return false }
        receiver = continuation
        return true
    }

    var hasReceiver: Bool { receiver != nil }

    mutating func cancelReceiver() -> UnsafeContinuation<Void, Never>? { receiver.take() }
}
#endif
