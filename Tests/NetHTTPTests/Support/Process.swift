import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// What this process holds.
enum ThisProcess {
    /// Resident memory in bytes.
    static var residentBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4096
    }

    /// The most memory in bytes that was ever resident.
    static var peakResidentBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    /// Ends this process with a message: for the body of an exit test, whose expectations come back without their text.
    /// It ends as if all were well, or the message would be lost: the test expects that nothing was printed.
    static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(0)
    }
}
