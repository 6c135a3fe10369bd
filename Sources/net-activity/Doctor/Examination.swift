#if Tools
internal import NetStore

/// What the rules look at, in the order of time.
struct Examination {
    /// The finished calls by their start.
    let calls: [ExaminedCall]
    /// The WebSockets by their start.
    let sockets: [StoredItem]
    let runs: [StoredRun]

    /// The calls in groups, in the order of each group's first call; those without a key in none.
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

/// One thing that can be wrong.
protocol DoctorRule: SendableMetatype {
    /// The name, as docs/doctor.md lists it.
    static var name: String { get }
    /// What is wrong.
    static func findings(in examination: Examination) -> [Finding]
}
#endif
