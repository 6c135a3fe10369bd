internal import NetCore
internal import Synchronization

/// Keeps requests in a file, across restarts and crashes, until a server has accepted them.
///
/// ``add(_:orderKey:expiresAfter:)-(R,_,_)`` returns once the request is on the disk. ``run(through:)`` sends the
/// requests added by this process or another: requests with the same order key strictly one after another, others
/// concurrently. Each is sent with an `Idempotency-Key` that stays the same across attempts and restarts. A request may be sent more
/// than once, since the response to an earlier attempt may be lost: a server that honors the key acts once.
///
/// Credentials aren't stored. The sending client adds them to each attempt.
///
///     let outbox = try Outbox(path: "outbox.sqlite")
///     let client = HTTPClient(baseURL: "https://api.example.com")
///     try await withThrowingTaskGroup(of: Void.self) { group in
///         group.addTask { try await outbox.run(through: client) }
///         let order = Request<Void>("orders", method: .post, body: .json(["item": "tea"]))
///         let id = try await outbox.add(order, orderKey: "customer-7")
///         print(try await outbox.outcome(of: id))
///         group.cancelAll()
///     }
///     await outbox.close()
public final class Outbox: Sendable {
    /// The database file.
    public let path: String
    let configuration: Configuration
    let worker: OutboxWorker
    let changes: FileChanges
    let jobs: OutboxJobs
    /// Raised when this process has made a change that may affect the sender.
    let signal = OutboxSignal()
    let listeners = Mutex(OutboxListeners())

    /// Opens the file and starts the thread that reads and writes it. A missing file is created, readable only by its
    /// owner. Blocks while SQLite works, up to the busy timeout.
    ///
    /// Throws `.store` if the file can't be created or written, is damaged, is an activity store or another program's
    /// database, has tables newer than this library, or is locked longer than the busy timeout.
    public convenience init(path: String, configuration: Configuration = Configuration()) throws(OutboxError) {
        try self.init(path: path, configuration, readsOnly: false)
    }

    /// Opens the file for reading only: changes fail.
    package convenience init(reading path: String) throws(OutboxError) {
        try self.init(path: path, Configuration(), readsOnly: true)
    }

    private init(path: String, _ configuration: Configuration, readsOnly: Bool) throws(OutboxError) {
        self.path = path
        self.configuration = configuration
        // Also notices the commit of a process that was killed before it announced the commit.
        changes = FileChanges(path: path, longestSilence: .seconds(1))
        jobs = OutboxJobs(configuration)
        do throws(StoreError) {
            worker = try OutboxWorker(path: path) { () throws(StoreError) in
                try readsOnly
                    ? OutboxTables.openForReading(path, configuration)
                    : OutboxTables.openForWriting(path, configuration)
            }
        } catch {
            throw OutboxError(error)
        }
    }

    deinit {
        worker.closeWithoutWaiting()
        changes.close()
    }

    /// Finishes the requested writes, closes the file and ends its threads. Later calls, and a ``run(through:)`` that
    /// is still running, throw `.store` with the code `closed`. A second call has no effect. Cancellation has no
    /// effect.
    public func close() async {
        changes.close()
        signal.raise()
        await worker.close()
        for continuation in listeners.withLock({ $0.removeAll() }) { continuation.finish() }
    }

    /// The current time in microseconds since 1970.
    var now: Int64 { StoredTime.microseconds(of: configuration.clock.date()) }

    func newID() -> CallID { CallID(date: configuration.clock.date(), random: configuration.random) }

    /// Changes the file.
    ///
    /// - Parameter committed: Called on the file's thread after the commit, in the order of the changes. It reports the
    ///   changes and must not block.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (OutboxTables) throws(StoreError) -> Value,
        committed: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws(OutboxError) -> Value {
        do throws(StoreError) {
            return try await worker.write(body, committed: committed)
        } catch {
            throw OutboxError(error)
        }
    }

    /// Reads the file.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (OutboxTables) throws(StoreError) -> Value
    ) async throws(OutboxError) -> Value {
        do throws(StoreError) {
            return try await worker.read(body)
        } catch {
            throw OutboxError(error)
        }
    }
}
