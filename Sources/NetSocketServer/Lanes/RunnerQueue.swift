#if Server
/// The handlers that wait for a task at one place, and the tasks that wait for a handler.
struct RunnerQueue {
    /// A task that waits; it is told whether there is something to do, or whether it is to end.
    typealias Worker = UnsafeContinuation<Bool, Never>

    private var jobs: [CommandRunner.Job] = []
    private var head = 0
    var idle: [Worker] = []
    /// A task is on its way that hasn't looked for a job yet.
    var isExpected = false

    var isEmpty: Bool { head == jobs.count }
    var count: Int { jobs.count - head }

    mutating func append(_ job: @escaping CommandRunner.Job) { jobs.append(job) }

    /// Takes the oldest job.
    mutating func next() -> CommandRunner.Job? {
        guard head < jobs.count else { return nil }
        let job = jobs[head]
        head += 1
        if head == jobs.count {
            jobs.removeAll(keepingCapacity: head <= 1024)
            head = 0
        }
        return job
    }

    /// Keeps a task for later. Returns false if so many wait already.
    mutating func rest(_ worker: Worker, atMost count: Int) -> Bool {
        guard idle.count < count else { return false }
        idle.append(worker)
        return true
    }
}
#endif
