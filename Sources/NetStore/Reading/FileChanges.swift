internal import NetCore
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Signals when a database may have been changed, by any process.
///
/// On Linux, the system reports each write to the log beside the file (inotify). Another signal follows ``pollInterval``
/// after the last write, because a program that flushes each commit makes it visible only after the flush. On other
/// systems, or if inotify fails, it signals every ``pollInterval``. A signal may come without a change; a change never
/// comes without a signal.
final class FileChanges: Sendable {
    /// The interval of signals if the system doesn't report changes.
    static let pollInterval: Duration = .milliseconds(250)
    /// The delay before signaling a change, in milliseconds: a batch is many writes, each of which is reported.
    private static let settling: CInt = 1

    private struct State {
        var nextID = 0
        var subscribers: [Int: AsyncStream<Void>.Continuation] = [:]
        var thread: SystemThread?
        /// The end of a pipe whose closing ends the thread.
        var wake: CInt?
        var isClosed = false
    }

    private let path: String
    /// The maximum time between signals, in milliseconds; negative to signal only changes.
    private let longestSilence: CInt
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: The database.
    ///   - longestSilence: The time after which a signal comes even without a change. Default nil: only changes are
    ///     signaled.
    init(path: String, longestSilence: Duration? = nil) {
        self.path = path
        self.longestSilence = longestSilence.map { CInt(clamping: $0.inNanoseconds / 1_000_000) } ?? -1
    }

    /// Signals all observers of the database, including those in other processes.
    ///
    /// For writers that flush each commit: the system reports the write before the flush, but readers see the commit
    /// only after the flush.
    static func announce(_ path: String) {
        #if os(Linux)
        utimensat(AT_FDCWD, resolved(path) + "-wal", nil, 0)
        #endif
    }

    /// Returns a stream with one signal at the beginning, and one after each change. Unread signals are combined into
    /// one.
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
                // SQLite puts the log beside the target of a symbolic link.
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
        let pause = CInt(pollInterval.inNanoseconds / 1_000_000)
        var isWatching = false
        /// False from a write until the second signal, ``pollInterval`` after it.
        var isSettled = true
        #if os(Linux)
        var watches = Watches(path, events)
        #endif
        while true {
            #if os(Linux)
            if events >= 0 {
                let before = watches
                isWatching = watches.renew()
                // Writes before the watch began weren't reported.
                if watches != before { signal() }
            }
            #endif
            var descriptors = [pollfd(fd: stop, events: Int16(POLLIN), revents: 0)]
            if isWatching { descriptors.append(pollfd(fd: events, events: Int16(POLLIN), revents: 0)) }
            let limit = isWatching && isSettled ? longestSilence : pause
            let result = poll(&descriptors, nfds_t(descriptors.count), limit)
            if result < 0, errno != EINTR { return }
            isSettled = result == 0
            if descriptors[0].revents != 0 { return }
            if isWatching {
                if poll(&descriptors, 1, settling) > 0 { return }
                drain(events)
            }
            signal()
        }
    }

    #if os(Linux)
    /// A watch of the log, or of the folder while there is no log: the log may be created anew at any time.
    private struct Watches: Equatable {
        private let path: String
        private let events: CInt
        private var log: CInt = -1
        private var folder: CInt = -1

        init(_ path: String, _ events: CInt) {
            self.path = path
            self.events = events
        }

        /// Adds missing watches and keeps existing ones. Returns false if nothing can be watched.
        mutating func renew() -> Bool {
            if renewLog() { return true }
            let name = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            folder = inotify_add_watch(events, name, UInt32(IN_CREATE))
            // The log may have been created before the folder was watched.
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

/// Calls `close`, which methods of the same name would hide.
private func closeDescriptor(_ descriptor: CInt) { close(descriptor) }
