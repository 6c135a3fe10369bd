internal import Glibc
internal import LoadDriver
internal import NetHTTP
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One process commits calls, another one follows.
enum Following {
    struct Figures: Encodable {
        /// The times at which each call was seen, or was known to be committed: nanoseconds of the system's clock.
        var moments: [UInt64] = []
        /// CPU microseconds per second of waiting without new entries.
        var idle: Double?
    }

    /// The number of calls per commit.
    private static let step = 20

    static func commit(_ file: String, calls: Int) async throws -> Figures {
        let store = try ActivityStore(path: file)
        let series = CallSeries(count: calls)
        var figures = Figures()
        for first in stride(from: 0, to: calls, by: step) {
            for number in first..<min(first + step, calls) {
                for event in series.events(number) { store.record(event) }
            }
            try await store.flush()
            let now = ProcessUsage.monotonicNanoseconds
            for _ in first..<min(first + step, calls) { figures.moments.append(now) }
        }
        try await store.close()
        return figures
    }

    /// Throws if a call is missed, arrives twice, or isn't in the order of its commit.
    static func follow(_ file: String, calls: Int) async throws -> Figures {
        let reader = try ActivityReader(path: file)
        var figures = Figures()
        for try await element in reader.tail(after: 0) {
            guard case .item(let item) = element, item.id == Int64(figures.moments.count + 1),
                item.url == CallSeries.url(figures.moments.count)
            else { throw UnexpectedAnswer("\(element) after \(figures.moments.count) calls") }
            figures.moments.append(ProcessUsage.monotonicNanoseconds)
            if figures.moments.count == calls { break }
        }
        figures.idle = try await idle(reader)
        await reader.close()
        return figures
    }

    private static func idle(_ reader: ActivityReader) async throws -> Double {
        let waiting = Task { for try await _ in reader.tail() {} }
        sleep(1)
        let begin = ProcessUsage.cpuMicroseconds
        sleep(3)
        let spent = ProcessUsage.cpuMicroseconds - begin
        waiting.cancel()
        return spent / 3
    }
}
