internal import Glibc

/// The resources that this process has used so far.
public enum ProcessUsage {
    /// User and system time, in microseconds.
    public static var cpuMicroseconds: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func microseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e6 + Double(time.tv_usec) }
        return microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
    }

    /// Resident memory, in bytes.
    public static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, 256, file) != nil else { return 0 }
        let headers = line.prefix { $0 != 0 }.split(separator: 32)
        guard headers.count > 1 else { return 0 }
        let pages = headers[1].reduce(0) { $0 * 10 + Int($1) - 48 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The number of open sockets of connections, without the pairs that a library uses to wake its own thread.
    static var sockets: Int {
        (0..<4096).count { descriptor in
            var domain: CInt = 0
            var size = socklen_t(MemoryLayout<CInt>.size)
            return getsockopt(CInt(descriptor), SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain != AF_UNIX
        }
    }

    public static var monotonicNanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
