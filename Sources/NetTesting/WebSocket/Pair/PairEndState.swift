internal import NetCore
internal import NetSocketCore

/// One end of an in-memory WebSocket. A pure value; ``PairEnd`` drives it.
///
/// | state | bytes arrive | receiver asks for more | close here | bytes end |
/// |---|---|---|---|---|
/// | open | inbox | waits | close frame: closing | lost |
/// | holding an end | – | acts on the end: over | acts on the end: over | acts on the end: over |
/// | closing | only the peer's close counts: over | waits | – | closed |
/// | over | – | gets the reason | – | – |
struct PairEndState: ~Copyable, Sendable {
    typealias Tasks = WaiterList<Void>

    /// The cost of a message in addition to its payload, in bytes.
    private static let messageCost = 64

    let settings: PairSettings
    var endpoint: SocketEndpoint
    var faults: FaultStateMachine
    /// The reason why nothing can be received any more; nil while something can be received.
    var ending: NetError?
    var effects = PairEffects()
    var deadlines = 0

    /// The messages that have arrived but haven't been received.
    var inbox: [WebSocketMessage] = []
    private var inboxBytes = 0
    /// The chunks that were taken from the pipe but haven't been read.
    var arrived: ArraySlice<Bytes> = []
    /// True if a slow pipe has ended and everything in it has arrived.
    var hasRelayedAll = false
    private var isReading = false
    /// True if something arrived while a task was reading.
    private var readsOn = false
    /// True if reading waits for the receiver.
    var isReadingPaused = false
    /// True if the receiver has taken messages and hasn't asked for more.
    var isAnswering = false
    /// True while a message is being sent in parts.
    var isInParts = false
    /// True if a script has stopped the end without ending the connection.
    var isDeaf = false

    var lastByte: Duration
    var watch: LivenessStateMachine?
    var pings = Pings()
    /// The waiting tasks: a receiver, the reader, and tasks that wait for the end.
    var tasks = Tasks()
    var receiver: Tasks.ID?
    var reader: Tasks.ID?

    init(_ settings: PairSettings, now: Duration) {
        self.settings = settings
        endpoint = SocketEndpoint(
            role: settings.role, maximumMessageBytes: max(0, settings.maximumMessageBytes),
            compression: settings.compression, random: settings.random)
        faults = FaultStateMachine(settings.faults)
        lastByte = now
        guard let liveness = settings.liveness else { return }
        watch = LivenessStateMachine(liveness, now: now)
        setDeadline(after: liveness.silence)
    }

    /// True while messages can be sent.
    var isAccepting: Bool { ending == nil && (settings.isScripted || endpoint.phase == .open) }

    /// Returns the effects of the changes so far, and clears them.
    mutating func takeEffects() -> PairEffects {
        defer { effects = PairEffects() }
        return effects
    }

    mutating func setDeadline(after time: Duration?) {
        deadlines += 1
        effects.deadline = PairEffects.Deadline(number: deadlines, after: time)
    }

    /// Adds a report for listeners, if there are any.
    mutating func report(_ report: @escaping @Sendable (SocketRecorder) -> Void) {
        if settings.recorder != nil { effects.reports.append(report) }
    }

    mutating func release(_ id: Tasks.ID?) {
        if let id, let waiter = tasks.release(id, with: ()) { effects.waiters.append(waiter) }
    }

    /// Removes a task that has stopped waiting.
    mutating func leave(_ id: Tasks.ID) {
        if receiver == id { receiver = nil }
        if reader == id { reader = nil }
        tasks.forget(id)
    }

    // MARK: The inbox

    mutating func append(_ messages: [WebSocketMessage]) {
        guard !messages.isEmpty else { return }
        inboxBytes += messages.reduce(0) { $0 + $1.count + Self.messageCost }
        inbox += messages
        release(receiver.take())
    }

    mutating func takeInbox() -> [WebSocketMessage] {
        defer { (inbox, inboxBytes) = ([], 0) }
        resumeReading()
        return inbox
    }

    /// Lets a paused reader try again.
    mutating func resumeReading() {
        release(reader.take())
        if isReadingPaused { effects.resumesReading = true }
    }

    /// Returns false if another task is reading; that task then continues.
    mutating func beginReading() -> Bool {
        if isReading { readsOn = true }
        defer { isReading = true }
        return !isReading
    }

    /// Returns true if something arrived in the meantime.
    mutating func endReading() -> Bool {
        defer { (isReading, readsOn) = (false, false) }
        return readsOn
    }

    /// True if reading must pause. While a pong is awaited, the inbox accepts twice its limit, because the pong may be
    /// behind messages.
    var isFull: Bool {
        guard ending == nil, endpoint.phase == .open, inboxBytes >= settings.inboxBytes else { return false }
        return !pings.areAwaited || inboxBytes / 2 >= settings.inboxBytes
    }
}
