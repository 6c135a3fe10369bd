internal import Glibc
internal import LoadDriver
internal import NetHTTP
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// 2,000 calls per second into a large store, which may have many entries to delete meanwhile.
enum Loading {
    struct Figures: Encodable {
        let calls, dropped: Int
        /// The number of entries deleted meanwhile.
        let deleted: Int
        /// The milliseconds that each `flush()` took.
        var flushes: [Double]
    }

    static func run(_ file: String, seconds: Int, keeping entries: Int?) async throws -> Figures {
        let retention = ActivityStore.Retention(age: nil, entries: entries, bytes: nil, rollUpAge: nil)
        let store = try ActivityStore(
            path: file, configuration: .init(retention: retention, pruneInterval: .milliseconds(100)))
        let before = try await store.count()
        let series = CallSeries(now: Date())
        let recording = Task.detached {
            let begin = ProcessUsage.monotonicNanoseconds
            for millisecond in 0..<seconds * 1000 {
                let due = begin + UInt64(millisecond) * 1_000_000
                while ProcessUsage.monotonicNanoseconds < due { usleep(500) }
                for each in 0..<2 {
                    for event in series.events(before + millisecond * 2 + each) { store.record(event) }
                }
            }
        }
        var flushes: [Double] = []
        let end = ProcessUsage.monotonicNanoseconds + UInt64(seconds) * 1_000_000_000
        while ProcessUsage.monotonicNanoseconds < end {
            let begin = ProcessUsage.monotonicNanoseconds
            try await store.flush()
            flushes.append(Double(ProcessUsage.monotonicNanoseconds - begin) / 1e6)
            usleep(20_000)
        }
        await recording.value
        try await store.flush()
        let statistics = store.statistics
        let after = try await store.count()
        try await store.close()
        return Figures(
            calls: seconds * 2000, dropped: statistics.dropped.total + statistics.failed,
            deleted: before + seconds * 2000 - after, flushes: flushes)
    }
}
