internal import Glibc

/// The resources that this process has used so far.
public struct ProcessUsage: Sendable {
    /// User and system time of all threads.
    let cpuSeconds: Double
    /// The time on a monotonic clock.
    let seconds: Double

    public static var now: ProcessUsage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return ProcessUsage(
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    public func seconds(since start: ProcessUsage) -> Double { seconds - start.seconds }
    public func cpuSeconds(since start: ProcessUsage) -> Double { cpuSeconds - start.cpuSeconds }

    /// The process's private memory; pages of the program's files aren't included. From `smaps_rollup`, which is exact:
    /// `statm` may be off by 64 pages per thread.
    static var anonymousBytes: Int {
        guard let file = fopen("/proc/self/smaps_rollup", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let words = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.split(separator: UInt8(ascii: " "))
            if words.count > 1, words[0].elementsEqual("Anonymous:".utf8) {
                return (Int(String(decoding: words[1], as: UTF8.self)) ?? 0) << 10
            }
        }
        return 0
    }
}
