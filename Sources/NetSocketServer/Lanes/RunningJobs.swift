#if Server
/// The paths of the jobs that run, in reusable slots: noting a job costs no hashing.
struct RunningJobs {
    typealias Slot = Int

    private var slots: [String?] = []
    private var free: [Slot] = []

    /// The number of jobs by path.
    var paths: [String: Int] { slots.reduce(into: [:]) { if let path = $1 { $0[path, default: 0] += 1 } } }

    /// Notes a job that begins.
    mutating func add(_ path: String) -> Slot {
        guard let slot = free.popLast() else {
            slots.append(path)
            return slots.count - 1
        }
        slots[slot] = path
        return slot
    }

    /// Forgets a job that has ended.
    mutating func remove(_ slot: Slot) {
        slots[slot] = nil
        free.append(slot)
    }
}
#endif
