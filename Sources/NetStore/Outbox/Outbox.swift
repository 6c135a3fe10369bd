internal import NetCore
internal import Synchronization

/// Keeps requests in a file until a server has accepted them, over restarts and crashes.
///
/// ``add(_:orderKey:expiresAfter:)`` returns once the request is on the disk. ``run(through:)`` sends what was added,
/// by this process or another: requests with the same order key strictly one after another, others at the same time.
/// Each is sent with an `Idempotency-Key` that stays the same over attempts and restarts. A request may be sent more
/// than once, since the answer to an earlier attempt may be lost: a server that honors the key acts once.
///
/// Credentials aren't stored. The client that sends adds them anew to each attempt.
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
    /// Raised when this process has changed something that a sender may have to do.
    let signal = OutboxSignal()
    let listeners = Mutex(OutboxListeners())

    /// Opens the file, creates it if it's missing, readable by its owner only, and starts the thread that reads and
    /// writes it. Blocks while SQLite works, up to the busy time-out.
    ///
    /// Throws `.store` if the path names no file that can be created or written, the file is damaged, is an activity
    /// store or another program's, has tables newer than this library, or is locked longer than the busy time-out.
    public convenience init(path: String, configuration: Configuration = Configuration()) throws(OutboxError) {
        try self.init(path: path, configuration, readsOnly: false)
    }

    /// Opens the file for reading only: what would change it fails.
    package convenience init(reading path: String) throws(OutboxError) {
        try self.init(path: path, Configuration(), readsOnly: true)
    }

    private init(path: String, _ configuration: Configuration, readsOnly: Bool) throws(OutboxError) {
        self.path = path
        self.configuration = configuration
        // A process that is killed between a commit and its announcement is noticed, too.
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

    /// Finishes the writes that were requested, closes the file and ends its threads. Later calls throw `.store` with
    /// the code `closed`, as does a ``run(through:)`` that is still running. A second call has no effect. Not ended by
    /// cancellation.
    public func close() async {
        changes.close()
        signal.raise()
        await worker.close()
        for continuation in listeners.withLock({ $0.removeAll() }) { continuation.finish() }
    }

    /// The time now, in microseconds since 1970.
    var now: Int64 { StoredTime.microseconds(of: configuration.clock.date()) }

    func newID() -> CallID { CallID(date: configuration.clock.date(), random: configuration.random) }

    /// Changes the file.
    ///
    /// - Parameter committed: Called on the thread of the file after the commit, in the order of the changes. It
    ///   reports what has changed, and must not block.
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
