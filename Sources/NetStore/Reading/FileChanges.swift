internal import NetCore
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Tells when a database may have changed, whichever process has changed it.
///
/// On Linux, the system reports each write to the log beside the file (inotify). Elsewhere, and where that fails, time is
/// the sign: every ``pollInterval``. A sign may come without a change, never the other way round.
final class FileChanges: Sendable {
    /// How often the file is asked where nothing reports changes.
    static let pollInterval: Duration = .milliseconds(250)
    /// How long a change is left to end, in milliseconds: a batch is many writes, and each is reported.
    private static let settling: CInt = 1

    private struct State {
        var nextID = 0
        var subscribers: [Int: AsyncStream<Void>.Continuation] = [:]
        var thread: SystemThread?
        /// The end of a pipe that wakes the thread.
        var wake: CInt?
        var isClosed = false
    }

    private let path: String
    /// A sign comes at least this often, in milliseconds; negative for only after changes.
    private let longestSilence: CInt
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: The database.
    ///   - longestSilence: The time after which a sign comes in any case. Default nil: none does.
    init(path: String, longestSilence: Duration? = nil) {
        self.path = path
        self.longestSilence = longestSilence.map { CInt(clamping: $0.inNanoseconds / 1_000_000) } ?? -1
    }

    /// Gives a sign to all who watch the database, in other processes too.
    ///
    /// For writers that flush each commit: the system reports the write before the flush, and what it has written can be
    /// read only after that.
    static func announce(_ path: String) {
        #if os(Linux)
        utimensat(AT_FDCWD, resolved(path) + "-wal", nil, 0)
        #endif
    }

    /// Returns a stream with one sign at the beginning, and one after each change. Signs that weren't taken in time are one.
    func subscribe() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let id = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.nextID += 1
            state.subscribers[state.nextID] = continuation
            if state.thread == nil { start(&state) }
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        return stream
    }

    /// Ends all streams and the thread.
    func close() {
        let (thread, subscribers) = state.withLock { state in
            state.isClosed = true
            if let wake = state.wake { Self.wake(wake) }
            state.wake = nil
            defer { (state.thread, state.subscribers) = (nil, [:]) }
            return (state.thread, Array(state.subscribers.values))
        }
        for subscriber in subscribers { subscriber.finish() }
        thread?.join()
    }

    private func remove(_ id: Int) {
        state.withLock { _ = $0.subscribers.removeValue(forKey: id) }
    }

    private func start(_ state: inout State) {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (stop, wake) = (ends[0], ends[1])
        let signal: @Sendable () -> Void = { [weak self] in self?.signal() }
        do {
            state.thread = try SystemThread { [path, longestSilence] in
                // SQLite puts the log beside the file that a link leads to.
                Self.watch(Self.resolved(path), until: stop, longestSilence, signal)
                closeDescriptor(stop)
            }
            state.wake = wake
        } catch {
            closeDescriptor(stop)
            closeDescriptor(wake)
        }
    }

    private func signal() {
        let subscribers = state.withLock { Array($0.subscribers.values) }
        for subscriber in subscribers { subscriber.yield() }
    }

    private static func wake(_ descriptor: CInt) { closeDescriptor(descriptor) }

    /// Calls `signal` after each change until the other end of `stop` is closed.
    private static func watch(_ path: String, until stop: CInt, _ longestSilence: CInt, _ signal: () -> Void) {
        #if os(Linux)
        let events = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        #else
        let events: CInt = -1
        #endif
        defer { if events >= 0 { closeDescriptor(events) } }
        var isWatching = false
        #if os(Linux)
        var watches = Watches(path, events)
        #endif
        while true {
            #if os(Linux)
            if events >= 0 {
                let before = watches
                isWatching = watches.renew()
                // What was written before a watch began wasn't reported.
                if watches != before { signal() }
            }
            #endif
            var descriptors = [pollfd(fd: stop, events: Int16(POLLIN), revents: 0)]
            if isWatching { descriptors.append(pollfd(fd: events, events: Int16(POLLIN), revents: 0)) }
            let limit = isWatching ? longestSilence : CInt(pollInterval.inNanoseconds / 1_000_000)
            let result = poll(&descriptors, nfds_t(descriptors.count), limit)
            if result < 0, errno != EINTR { return }
            if descriptors[0].revents != 0 { return }
            if isWatching {
                if poll(&descriptors, 1, settling) > 0 { return }
                drain(events)
            }
            signal()
        }
    }

    #if os(Linux)
    /// The watches of the log, or of the folder as long as there is no log: it may be made anew at any time.
    private struct Watches: Equatable {
        private let path: String
        private let events: CInt
        private var log: CInt = -1
        private var folder: CInt = -1

        init(_ path: String, _ events: CInt) {
            self.path = path
            self.events = events
        }

        /// Adds what is missing; a watch that is there already stays the same. Returns false if nothing can be watched.
        mutating func renew() -> Bool {
            if renewLog() { return true }
            let name = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            folder = inotify_add_watch(events, name, UInt32(IN_CREATE))
            // It may have been made before the folder was watched.
            return renewLog() || folder >= 0
        }

        private mutating func renewLog() -> Bool {
            log = inotify_add_watch(events, path + "-wal", UInt32(IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF))
            guard log >= 0 else { return false }
            if folder >= 0 { inotify_rm_watch(events, folder) }
            folder = -1
            return true
        }
    }
    #endif

    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func drain(_ descriptor: CInt) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}

/// `close` by a name that no method hides.
private func closeDescriptor(_ descriptor: CInt) { close(descriptor) }
