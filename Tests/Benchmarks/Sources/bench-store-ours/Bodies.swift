internal import LoadDriver
internal import NetStore

/// Calls of a client whose responses have bodies of 2 KB, all of which are kept.
enum Bodies {
    static func run(_ file: String, calls: Int) async throws -> Writing.Figures {
        let before = ThreadTimes.threads
        let store = try ActivityStore(path: file, configuration: .init(capture: .bodies, retention: .none))
        let own = ThreadTimes.threads.subtracting(before)
        let client = MemoryClient([store], size: 2000)
        let start = ThreadTimes.microseconds(of: own)
        let begin = ProcessUsage.cpuMicroseconds - start
        for number in 0..<calls {
            try await client.get(number)
            if number % 500 == 0 { try await store.flush() }
        }
        let caller = ProcessUsage.cpuMicroseconds - ThreadTimes.microseconds(of: own) - begin
        try await store.flush()
        let writer = ThreadTimes.microseconds(of: own) - start
        guard store.statistics.dropped.total == 0 else { throw UnexpectedAnswer("events were dropped") }
        await client.shutdown()
        try await store.close()
        return Writing.Figures(
            writer: writer / Double(calls), caller: caller / Double(calls), bytes: Writing.size(file) / Double(calls))
    }
}
