internal import Glibc
internal import LoadDriver
internal import NetStore

/// Writes calls as fast as the store accepts them.
enum Writing {
    struct Figures: Encodable {
        /// CPU microseconds per call, of the writer's thread and of the recording thread.
        let writer, caller: Double
        let bytes: Double
    }

    static func make(_ file: String) async throws {
        try await ActivityStore(path: file).close()
    }

    static func run(_ file: String, calls: Int) async throws -> Figures {
        let before = ThreadTimes.threads
        let store = try ActivityStore(path: file, configuration: .init(retention: .none))
        let threads = ThreadTimes.threads.subtracting(before)
        let start = ThreadTimes.microseconds(of: threads)
        let series = CallSeries(count: calls)
        var caller = 0.0
        for first in stride(from: 0, to: calls, by: 1000) {
            let events = (first..<min(first + 1000, calls)).flatMap { series.events($0) }
            let begin = ThreadTimes.own
            for event in events { store.record(event) }
            caller += ThreadTimes.own - begin
            while store.statistics.queued > 30_000 { usleep(1000) }
        }
        try await store.flush()
        let writer = ThreadTimes.microseconds(of: threads) - start
        guard store.statistics.written == calls * 3, store.statistics.dropped.total == 0 else {
            throw UnexpectedAnswer("not everything was written: \(store.statistics)")
        }
        try await store.close()
        return Figures(
            writer: writer / Double(calls), caller: caller / Double(calls), bytes: size(file) / Double(calls))
    }

    static func size(_ file: String) -> Double {
        var information = stat()
        return stat(file, &information) == 0 ? Double(information.st_size) : 0
    }
}
