import Glibc
import LoadDriver
import NetHTTP

/// `bench-cache empty|memory|disk|plain SECONDS [URL] [FOLDER ENTRIES]` prints the CPU microseconds of a GET of 1 KB as
/// a line of JSON; the requests run one after another.
///
/// `empty` is a canned response; `memory` and `disk` put a cache that contains the response in front of it; `plain`
/// sends requests to the server at URL.
@main
enum Program {
    private struct UsageError: Error {}

    static func main() async {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            guard arguments.count >= 2, let seconds = Double(arguments[1]) else { throw UsageError() }
            let subject = try await subject(arguments[0], Array(arguments.dropFirst(2)))
            let (cpu, median) = try await measure(subject, seconds: seconds)
            print(#"{"cpu": \#(cpu), "p50": \#(median), "answered": \#(subject.answered())}"#)
        } catch {
            print("bench-cache: \(error)")
            exit(1)
        }
    }

    private static func subject(_ layer: String, _ rest: [String]) async throws -> Subject {
        switch (layer, rest.count) {
        case ("empty", 0): Subject(middleware: [], entries: 1)
        case ("memory", 0): Subject(middleware: [CacheMiddleware(MemoryCacheStore())], entries: 1)
        case ("plain", 1): try Subject(url: rest[0])
        case ("disk", 2):
            if let entries = Int(rest[1]) {
                Subject(
                    middleware: [CacheMiddleware(DiskCacheStore(folder: rest[0], maximumBytes: 4 << 30))],
                    entries: entries)
            } else {
                throw UsageError()
            }
        default: throw UsageError()
        }
    }

    /// Requests every entry once first, so that it is stored; entries of an earlier run are served from the cache.
    private static func measure(_ subject: Subject, seconds: Double) async throws -> (cpu: Double, median: Double) {
        for entry in 0..<subject.entries { try await subject.get(entry) }
        var (generator, count) = (UInt64(1), 0)
        var times: [UInt64] = []
        let answered = subject.answered()
        let cpu = ProcessUsage.cpuMicroseconds
        var begin = ProcessUsage.monotonicNanoseconds
        let end = begin + UInt64(seconds * 1e9)
        while begin < end {
            // Visits all entries in random order, so that neither the disk nor a list can benefit from a sequence.
            generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            try await subject.get(Int(generator >> 33) % subject.entries)
            let now = ProcessUsage.monotonicNanoseconds
            times.append(now - begin)
            begin = now
            count += 1
        }
        let spent = (ProcessUsage.cpuMicroseconds - cpu) / Double(count)
        if subject.isCached, subject.answered() != answered {
            throw UnexpectedAnswer("the cache did not have every answer")
        }
        times.sort()
        return (spent, Double(times[times.count / 2]) / 1000)
    }
}
