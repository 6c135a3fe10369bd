internal import NetCore

/// Decides which downloads run, wait and are paused: all scheduling rules of a manager, without files, time or tasks.
///
/// Downloads that are ready to run are sorted by priority, then by order. A download that was asked to stop keeps its
/// slot until it has stopped.
///
/// | phase | `pause` | `resume` | `cancel` | `retry` | `networkChanged` | `allow` | `hasEnded` |
/// |---|---|---|---|---|---|---|---|
/// | adding | paused | – | removed | – | – | – | – |
/// | ready | paused | – | removed | – | waiting, if not allowed | – | – |
/// | running | stopping | – | stopping | – | stopping, if it must | – | completed, failed, waiting |
/// | stopping | then paused | then continues | then removed | – | – | – | paused, running, waiting, removed, completed |
/// | waiting | paused | – | removed | – | ready, if allowed | ready | – |
/// | paused | – | ready or waiting | removed | – | – | – | – |
/// | completed | – | – | – | – | – | – | – |
/// | failed | – | – | removed | ready or waiting | – | – | – |
struct DownloadQueue<ID: Hashable & Sendable>: Sendable {
    private struct Entry {
        let url: String
        let host: String
        var place: Place
        var phase: Phase
        var isAllowed: Bool
        /// The last reported state.
        var told: DownloadState
    }

    /// The position among downloads that are ready to run.
    private struct Place: Comparable {
        var priority: RequestPriority
        var order: Int64
        static func < (left: Place, right: Place) -> Bool {
            left.priority == right.priority ? left.order < right.order : left.priority > right.priority
        }
    }

    let maximumConcurrent: Int
    let maximumPerHost: Int
    let limit: Int

    private var entries: [ID: Entry] = [:]
    /// The unfinished download of each URL.
    private var urls: [String: ID] = [:]
    /// Sorted.
    private var ready: [(place: Place, id: ID)] = []
    /// The number of slots in use, in total and by host.
    private(set) var running = 0
    private var hosts: [String: Int] = [:]
    private var lastOrder: Int64 = 0
    private var isDraining = false
    /// True during a change of many downloads: nothing starts until all have changed.
    var holds = false

    init(maximumConcurrent: Int, maximumPerHost: Int?, limit: Int) {
        self.maximumConcurrent = max(1, maximumConcurrent)
        self.maximumPerHost = max(1, maximumPerHost ?? maximumConcurrent)
        self.limit = max(1, limit)
    }

    /// The number of downloads that are neither completed nor failed.
    var unfinished: Int { urls.count }

    func phase(of id: ID) -> Phase? { entries[id]?.phase }
    func order(of id: ID) -> Int64? { entries[id]?.place.order }
    /// True if a download should be paused after a restart of the program.
    func isPaused(_ id: ID) -> Bool {
        switch entries[id]?.phase {
        case .paused, .stopping(.paused), .adding(isPaused: true): true
        default: false
        }
    }

    /// Adds a download whose journal isn't written yet; returns its order.
    mutating func add(
        _ id: ID, url: String, host: String, priority: RequestPriority, isAllowed: Bool
    ) throws(Refusal) -> Int64 {
        if let other = urls[url] { throw .isQueued(other) }
        guard unfinished < limit else { throw .isFull }
        lastOrder += 1
        let place = Place(priority: priority, order: lastOrder)
        insert(id, url, host, place, .adding(isPaused: false), isAllowed)
        return lastOrder
    }

    /// Adds a download from a journal; ``start()`` lets it run. The queue limit doesn't apply; of two with one URL,
    /// the second stays paused.
    mutating func restore(
        _ id: ID, url: String, host: String, priority: RequestPriority, order: Int64, isPaused: Bool, isAllowed: Bool
    ) -> [Action] {
        guard entries[id] == nil else { return [] }
        lastOrder = max(lastOrder, order)
        let isPaused = isPaused || urls[url] != nil
        insert(id, url, host, Place(priority: priority, order: order), .adding(isPaused: isPaused), isAllowed)
        return isPaused ? move(id, to: .paused) : queue(id)
    }

    /// Adds a download from a journal that is complete, or has failed and isn't retried.
    mutating func restoreEnded(
        _ id: ID, url: String, host: String, priority: RequestPriority = .normal, order: Int64, isComplete: Bool
    ) -> [Action] {
        guard entries[id] == nil else { return [] }
        lastOrder = max(lastOrder, order)
        let place = Place(priority: priority, order: order)
        entries[id] = Entry(url: url, host: host, place: place, phase: .running, isAllowed: true, told: .queued)
        return move(id, to: isComplete ? .completed : .failed)
    }

    /// The unfinished download of a URL.
    func owner(of url: String) -> ID? { urls[url] }

    /// Gives a failed download another URL.
    mutating func replace(url: String, host: String, of id: ID) {
        guard let entry = entries[id], entry.phase == .failed else { return }
        entries[id] = Entry(
            url: url, host: host, place: entry.place, phase: .failed, isAllowed: entry.isAllowed, told: entry.told)
    }

    /// Starts as many downloads as the limits allow.
    mutating func start() -> [Action] { fill() }

    private mutating func insert(
        _ id: ID, _ url: String, _ host: String, _ place: Place, _ phase: Phase, _ isAllowed: Bool
    ) {
        entries[id] = Entry(url: url, host: host, place: place, phase: phase, isAllowed: isAllowed, told: .queued)
        if urls[url] == nil { urls[url] = id }
    }

    /// Called once the journal of an added download is written.
    mutating func wasAdded(_ id: ID) -> [Action] {
        guard case .adding(let isPaused) = entries[id]?.phase else { return [] }
        return isPaused ? move(id, to: .paused) : queue(id) + fill()
    }

    /// Called if a journal couldn't be written.
    mutating func wasNotAdded(_ id: ID) { drop(id) }

    mutating func pause(_ id: ID) -> [Action] {
        switch entries[id]?.phase {
        case .adding:
            entries[id]?.phase = .adding(isPaused: true)
            return []
        case .ready, .waiting: return move(id, to: .paused)
        case .running: return stop(id, for: .paused)
        case .stopping(.again):
            entries[id]?.phase = .stopping(.paused)
            return []
        case .stopping, .paused, .completed, .failed, nil: return []
        }
    }

    mutating func resume(_ id: ID) throws(Refusal) -> [Action] {
        switch entries[id]?.phase {
        case .adding:
            entries[id]?.phase = .adding(isPaused: false)
            return []
        case .paused: return try requeue(id)
        case .stopping(.paused):
            entries[id]?.phase = .stopping(.again)
            return []
        case .ready, .running, .stopping, .waiting, .completed, .failed, nil: return []
        }
    }

    mutating func retry(_ id: ID) throws(Refusal) -> [Action] {
        guard entries[id]?.phase == .failed else { return [] }
        guard unfinished < limit else { throw .isFull }
        lastOrder += 1
        entries[id]?.place.order = lastOrder
        return try requeue(id)
    }

    /// A paused download may no longer own its URL: it failed in the meantime, or the URL was found twice.
    private mutating func requeue(_ id: ID) throws(Refusal) -> [Action] {
        guard let entry = entries[id] else { return [] }
        if let other = urls[entry.url], other != id { throw .isQueued(other) }
        urls[entry.url] = id
        return queue(id) + fill()
    }

    /// Ends a download that isn't complete.
    mutating func cancel(_ id: ID) -> [Action] {
        switch entries[id]?.phase {
        case .adding, .ready, .waiting, .paused, .failed: return remove(id) + fill()
        case .running: return stop(id, for: .cancelled)
        case .stopping:
            entries[id]?.phase = .stopping(.cancelled)
            return []
        case .completed, nil: return []
        }
    }

    /// Removes a complete download.
    mutating func forget(_ id: ID) {
        if entries[id]?.phase == .completed { drop(id) }
    }

    mutating func setPriority(_ priority: RequestPriority, of id: ID) {
        guard let entry = entries[id] else { return }
        let isReady = entry.phase == .ready
        if isReady { leaveReady(id, entry.place) }
        entries[id]?.place.priority = priority
        if isReady { enterReady(id) }
    }

    /// The network's status has changed.
    mutating func networkChanged(_ verdict: (ID) -> NetworkVerdict) -> [Action] {
        var actions: [Action] = []
        for (id, entry) in entries.sorted(by: { $0.value.place < $1.value.place }) {
            let verdict = verdict(id)
            entries[id]?.isAllowed = verdict == .isAllowed
            switch (entry.phase, verdict) {
            case (.ready, .isHeld), (.ready, .isForbidden): actions += move(id, to: .waiting)
            case (.waiting, .isAllowed): actions += move(id, to: .ready)
            case (.running, .isForbidden): actions += stop(id, for: .again)
            default: break
            }
        }
        return actions + fill()
    }

    /// Nothing but the network holds the download back any more.
    mutating func allow(_ id: ID) -> [Action] {
        entries[id]?.isAllowed = true
        return entries[id]?.phase == .waiting ? move(id, to: .ready) + fill() : []
    }

    /// A run has ended, which frees its slot.
    mutating func hasEnded(_ id: ID, _ ending: Ending) -> [Action] {
        guard let entry = entries[id] else { return [] }
        let stop: Stop?
        switch entry.phase {
        case .running: stop = nil
        case .stopping(let reason): stop = reason
        default: return []
        }
        // The download keeps its slot, so no state is reported.
        if ending == .stopped, stop == .again, entry.isAllowed, !isDraining {
            entries[id]?.phase = .running
            return [.start(id)]
        }
        leaveSlot(entry.host)
        let actions: [Action]
        switch (ending, stop) {
        // The file is in its final place: it's too late to stop.
        case (.completed, _): actions = move(id, to: .completed)
        case (_, .cancelled): actions = remove(id)
        case (_, .paused): actions = move(id, to: .paused)
        case (.failed, _): actions = move(id, to: .failed)
        case (.noNetwork, _):
            entries[id]?.isAllowed = false
            actions = queue(id)
        case (.stopped, .again): actions = queue(id)
        // The run stopped although it wasn't asked to.
        case (.stopped, nil): actions = move(id, to: .failed)
        }
        return actions + fill()
    }

    /// Stops everything, to continue after a restart of the program. Nothing starts any more.
    mutating func drain() -> [Action] {
        isDraining = true
        return entries.filter { $0.value.phase == .running }.keys.flatMap { stop($0, for: .again) }
    }

    // MARK: - Changes

    private mutating func queue(_ id: ID) -> [Action] {
        guard let entry = entries[id] else { return [] }
        return move(id, to: entry.isAllowed ? .ready : .waiting)
    }

    private mutating func move(_ id: ID, to phase: Phase) -> [Action] {
        guard let entry = entries[id] else { return [] }
        if entry.phase == .ready { leaveReady(id, entry.place) }
        entries[id]?.phase = phase
        switch phase {
        case .ready: enterReady(id)
        case .completed, .failed: release(entry.url, of: id)
        default: break
        }
        return tell(id)
    }

    private mutating func stop(_ id: ID, for reason: Stop) -> [Action] {
        entries[id]?.phase = .stopping(reason)
        return [.stop(id)]
    }

    private mutating func tell(_ id: ID) -> [Action] {
        guard let entry = entries[id] else { return [] }
        let state: DownloadState
        switch entry.phase {
        case .adding, .ready: state = .queued
        case .running: state = .downloading
        case .waiting: state = .waiting
        case .paused: state = .paused
        case .completed: state = .completed
        case .failed: state = .failed
        case .stopping: return []
        }
        guard state != entry.told else { return [] }
        entries[id]?.told = state
        return [.changed(id, state)]
    }

    private mutating func remove(_ id: ID) -> [Action] {
        drop(id)
        return [.changed(id, .cancelled), .remove(id)]
    }

    private mutating func drop(_ id: ID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        if entry.phase == .ready { leaveReady(id, entry.place) }
        release(entry.url, of: id)
    }

    private mutating func release(_ url: String, of id: ID) {
        if urls[url] == id { urls[url] = nil }
    }

    private mutating func fill() -> [Action] {
        var actions: [Action] = []
        guard !isDraining, !holds else { return actions }
        var index = 0
        while running < maximumConcurrent, index < ready.count {
            let id = ready[index].id
            guard let host = entries[id]?.host, hosts[host, default: 0] < maximumPerHost else {
                index += 1
                continue
            }
            running += 1
            hosts[host, default: 0] += 1
            actions += move(id, to: .running)
            actions.append(.start(id))
        }
        return actions
    }

    private mutating func leaveSlot(_ host: String) {
        running -= 1
        hosts[host] = (hosts[host] ?? 1) > 1 ? (hosts[host] ?? 1) - 1 : nil
    }

    private mutating func enterReady(_ id: ID) {
        guard let place = entries[id]?.place else { return }
        ready.insert((place, id), at: index(of: place))
    }

    private mutating func leaveReady(_ id: ID, _ place: Place) {
        var index = index(of: place)
        // Two journals may contain the same place.
        while index < ready.count, ready[index].place == place, ready[index].id != id { index += 1 }
        if index < ready.count, ready[index].id == id { ready.remove(at: index) }
    }

    /// The index of the first element that isn't before that place.
    private func index(of place: Place) -> Int {
        var range = 0..<ready.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = ready[middle].place < place ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
