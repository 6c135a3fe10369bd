#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The threads of this process that have work to do, whether or not they have a processor.
enum RunnableThreads {
    /// True if a thread other than the current one runs, waits for a processor, or waits for the disk.
    ///
    /// With ten threads, this takes about 0.05 ms.
    static var hasOthers: Bool {
        guard let folder = opendir("/proc/self/task") else { return false }
        defer { closedir(folder) }
        var runnable = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.first != ".", let state = state(ofThread: name), state == "R" || state == "D" { runnable += 1 }
        }
        // The current thread is one of them.
        return runnable > 1
    }

    /// The state of a thread; nil if it has ended. The file begins with the ID, the name in parentheses, and the state;
    /// the name is at most 15 bytes long (proc_pid_stat(5)).
    private static func state(ofThread id: String) -> Character? {
        let file = open("/proc/self/task/\(id)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            let count = read(file, bytes.baseAddress, bytes.count)
            guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
                return nil
            }
            return Character(Unicode.Scalar(bytes[end + 2]))
        }
    }
}
#endif
