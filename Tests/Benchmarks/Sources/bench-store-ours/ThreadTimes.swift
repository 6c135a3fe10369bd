internal import Glibc

/// The CPU time of threads of this process, in microseconds.
enum ThreadTimes {
    /// The IDs of the running threads.
    static var threads: Set<Int> {
        guard let folder = opendir("/proc/self/task") else { return [] }
        defer { closedir(folder) }
        var numbers: Set<Int> = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = Int(name) { numbers.insert(number) }
        }
        return numbers
    }

    /// Returns the CPU time that these threads have used so far.
    static func microseconds(of threads: Set<Int>) -> Double {
        threads.reduce(0) { sum, thread in
            guard let file = fopen("/proc/self/task/\(thread)/schedstat", "r") else { return sum }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 128)
            guard fgets(&line, 128, file) != nil else { return sum }
            let digits = line.prefix { $0 >= 48 && $0 <= 57 }
            return sum + digits.reduce(0) { $0 * 10 + Double($1 - 48) } / 1000
        }
    }

    /// The CPU time that the calling thread has used so far.
    static var own: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
