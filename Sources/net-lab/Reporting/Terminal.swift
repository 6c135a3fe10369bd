#if Tools && Server
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(file, bytes.baseAddress, bytes.count)
}

/// Output: colored and with progress on a terminal, plain everywhere else and if NO_COLOR is set.
enum Terminal {
    private static func isSet(_ name: String) -> Bool {
        guard let value = getenv(name) else { return false }
        return value[0] != 0
    }

    /// True if the output is a terminal, so that lines can be overwritten and colored (https://no-color.org).
    static let isRich: Bool = {
        guard isatty(STDOUT_FILENO) == 1, !isSet("NO_COLOR") else { return false }
        return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
    }()

    /// The function that receives the lines instead of standard output, for code that runs in the task.
    @TaskLocal static var redirect: (@Sendable (String) -> Void)?

    /// Prints a line, replacing the progress line if there is one.
    static func print(_ line: String) {
        if let redirect { return redirect(line) }
        write((isRich ? "\r\u{1b}[K\(line)" : line) + "\n")
    }

    /// Shows the current activity; does nothing if the output can't be overwritten.
    static func progress(_ line: String) {
        guard isRich, redirect == nil else { return }
        write("\r\u{1b}[K\(line)")
    }

    /// Writes without the buffers of the C library: flushing those waits for a thread that is reading a line.
    private static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = systemWrite(STDOUT_FILENO, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: rest)))
                if count < 0, errno != EINTR { return }
                rest = rest.dropFirst(max(count, 0))
            }
        }
    }

    static func bold(_ text: String) -> String { code("1", text) }
    static func green(_ text: String) -> String { code("32", text) }
    static func red(_ text: String) -> String { code("31", text) }

    private static func code(_ code: String, _ text: String) -> String {
        isRich ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
#endif
