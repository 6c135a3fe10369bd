#if Server
/// The handlers that wait for a task of one executor, and the tasks that wait for a handler.
struct RunnerQueue {
    /// A waiting task; it is resumed with true if there is a job, and with false if it should end.
    typealias Worker = UnsafeContinuation<Bool, Never>

    /// A handler, and the path that it works for; nil for work of the server itself.
    struct Entry: Sendable {
        var path: String?
        var job: CommandRunner.Job
    }

    private var jobs: [Entry] = []
    private var head = 0
    var idle: [Worker] = []
    /// True while a requested task hasn't looked for a job yet.
    var isExpected = false

    var isEmpty: Bool { head == jobs.count }
    var count: Int { jobs.count - head }

    mutating func append(_ job: @escaping CommandRunner.Job, for path: String?) {
        jobs.append(Entry(path: path, job: job))
    }

    /// Removes and returns the oldest job.
    mutating func next() -> Entry? {
        guard head < jobs.count else { return nil }
        let job = jobs[head]
        head += 1
        if head == jobs.count {
            jobs.removeAll(keepingCapacity: head <= 1024)
            head = 0
        }
        return job
    }

    /// Keeps an idle task. Returns false if there are already `count`.
    mutating func rest(_ worker: Worker, atMost count: Int) -> Bool {
        guard idle.count < count else { return false }
        idle.append(worker)
        return true
    }
}
#endif
