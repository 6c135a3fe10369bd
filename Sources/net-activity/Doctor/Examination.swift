#if Tools
internal import NetStore

/// The entries that the rules examine, in chronological order.
struct Examination {
    /// The finished calls, by start time.
    let calls: [ExaminedCall]
    /// The WebSockets, by start time.
    let sockets: [StoredItem]
    /// The finished jobs, by start time.
    let jobs: [StoredItem]
    let runs: [StoredRun]

    /// Returns the calls in groups, ordered by each group's first call. Calls without a key are skipped.
    func groups<Key: Hashable>(_ key: (ExaminedCall) -> Key?) -> [(key: Key, calls: [ExaminedCall])] {
        var places: [Key: Int] = [:]
        var groups: [(key: Key, calls: [ExaminedCall])] = []
        for call in calls {
            guard let key = key(call) else { continue }
            if let place = places[key] {
                groups[place].calls.append(call)
            } else {
                places[key] = groups.count
                groups.append((key, [call]))
            }
        }
        return groups
    }

    var hosts: [(key: String, calls: [ExaminedCall])] { groups { $0.host.isEmpty ? nil : $0.host } }
    var endpoints: [(key: Endpoint, calls: [ExaminedCall])] { groups { $0.host.isEmpty ? nil : $0.endpoint } }
}

/// A rule that detects one kind of problem.
protocol DoctorRule: SendableMetatype {
    /// The name, as listed in docs/doctor.md.
    static var name: String { get }
    /// Returns the problems found.
    static func findings(in examination: Examination) -> [Finding]
}
#endif
