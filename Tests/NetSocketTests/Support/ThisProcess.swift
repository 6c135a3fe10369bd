import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The resources of this process.
enum ThisProcess {
    /// The processor time of all threads so far.
    static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Resident memory in bytes.
    static var residentBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4096
    }

    /// Ends this process with a message: for the body of an exit test, whose expectations are reported without their
    /// text. The exit code is 0, otherwise the message would be lost: ``expectNothingPrinted(by:_:)`` shows it.
    static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(0)
    }
}
