internal import LoadDriver
internal import NetHTTP
internal import NetStore

/// Calls in memory: without a listener, with one that receives no events, and with a store.
enum Calling {
    struct Figures: Encodable {
        /// CPU microseconds per call of all threads except the store's own.
        let none, deaf, store: Double
    }

    private struct Deaf: ActivityListener {
        var interest: ActivityInterest { [] }
        func record(_ event: ActivityEvent) {}
    }

    static func run(_ file: String, calls: Int) async throws -> Figures {
        let before = ThreadTimes.threads
        let store = try ActivityStore(path: file)
        let own = ThreadTimes.threads.subtracting(before)
        let clients = [MemoryClient([]), MemoryClient([Deaf()]), MemoryClient([store])]
        var times = [0.0, 0.0, 0.0]
        // In small turns, so that other load on the machine affects all of them equally.
        let turn = 2000
        for round in 0...(calls / turn) {
            for (index, client) in clients.enumerated() {
                let begin = ProcessUsage.cpuMicroseconds - ThreadTimes.microseconds(of: own)
                for number in 0..<turn { try await client.get(number) }
                let end = ProcessUsage.cpuMicroseconds - ThreadTimes.microseconds(of: own)
                // The first round warms up.
                if round > 0 { times[index] += end - begin }
                try await store.flush()
            }
        }
        guard store.statistics.dropped.total == 0 else { throw UnexpectedAnswer("events were dropped") }
        for client in clients { await client.shutdown() }
        try await store.close()
        let all = Double(max(1, calls / turn) * turn)
        return Figures(none: times[0] / all, deaf: times[1] / all, store: times[2] / all)
    }
}
