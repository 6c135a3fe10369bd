internal import NetCore

/// An entry in the writer's queue. Each case holds a reference, so that an entry takes only a few bytes of the queue.
enum PendingEntry: Sendable {
    case call(PendingEvent)
    case socket(PendingSocketEvent)
    case job(PendingJob)
    case log(PendingLogLine)
    case capture(PendingCapture)
    case message(PendingMessage)
    /// The end of an entry was dropped: nothing is known except that the entry is no longer under way.
    case lost(LostEnd)

    /// An ended entry whose end was dropped.
    final class LostEnd: Sendable {
        let key: ItemKey
        init(_ key: ItemKey) { self.key = key }
    }

    /// The approximate memory in use, in bytes.
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

    /// True if the entry must leave room for events because it's large or dispensable.
    var isSecondary: Bool {
        switch self {
        case .call, .socket, .job, .lost: false
        case .log, .capture, .message: true
        }
    }

    /// The entry that this one ends; nil if it doesn't end any.
    var endedItem: ItemKey? {
        switch self {
        case .call(let event): event.kind.isEnd ? ItemKey(event.call, .call) : nil
        case .socket(let event): event.isEnd ? ItemKey(event.socket, .socket) : nil
        case .job(let job): job.end != nil ? ItemKey(job.job, .job) : nil
        case .log, .capture, .message, .lost: nil
        }
    }
}

/// The key of an entry that is being assembled.
struct ItemKey: Hashable, Sendable {
    let uid: CallID
    let kind: StoredItem.Kind

    init(_ uid: CallID, _ kind: StoredItem.Kind) {
        self.uid = uid
        self.kind = kind
    }

    func hash(into hasher: inout Hasher) {
        // The random bits of the ID suffice to distinguish entries.
        hasher.combine(uid.low ^ uid.high)
    }
}
