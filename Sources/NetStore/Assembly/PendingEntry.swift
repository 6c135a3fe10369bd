internal import NetCore

/// What waits in the queue of a writer. Each case holds a reference, so that the queue grows by a few bytes an entry.
enum PendingEntry: Sendable {
    case call(PendingEvent)
    case socket(PendingSocketEvent)
    case job(PendingJob)
    case log(PendingLogLine)
    case capture(PendingCapture)
    case message(PendingMessage)
    /// The end of an entry was dropped: that it isn't under way any more is all that is known.
    case lost(LostEnd)

    /// An ended entry whose end was dropped.
    final class LostEnd: Sendable {
        let key: ItemKey
        init(_ key: ItemKey) { self.key = key }
    }

    /// About the memory that it holds.
    var bytes: Int {
        switch self {
        case .call(let event): event.bytes
        case .socket(let event): event.bytes
        case .job(let job): job.bytes
        case .log(let line): line.bytes
        case .capture(let capture): capture.bytes
        case .message(let message): message.bytes
        case .lost: 64
        }
    }

    /// Whether it has to leave room for events: it is large, or others can do without it.
    var isSecondary: Bool {
        switch self {
        case .call, .socket, .job, .lost: false
        case .log, .capture, .message: true
        }
    }

    /// The entry that ends with this; nil if none does.
    var endedItem: ItemKey? {
        switch self {
        case .call(let event): event.kind.isEnd ? ItemKey(event.call, .call) : nil
        case .socket(let event): event.isEnd ? ItemKey(event.socket, .socket) : nil
        case .job(let job): job.end != nil ? ItemKey(job.job, .job) : nil
        case .log, .capture, .message, .lost: nil
        }
    }
}

/// What an entry is found by while it is put together.
struct ItemKey: Hashable, Sendable {
    let uid: CallID
    let kind: StoredItem.Kind

    init(_ uid: CallID, _ kind: StoredItem.Kind) {
        self.uid = uid
        self.kind = kind
    }

    func hash(into hasher: inout Hasher) {
        // The random bits of the ID tell entries apart.
        hasher.combine(uid.low ^ uid.high)
    }
}
