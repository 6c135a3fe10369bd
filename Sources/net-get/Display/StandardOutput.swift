#if Tools
internal import Foundation

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

/// The standard output and its capabilities.
enum StandardOutput {
    private static func variable(_ name: String) -> String { ProcessInfo.processInfo.environment[name] ?? "" }

    /// True if lines can be overwritten.
    static let isTerminal = isatty(STDOUT_FILENO) == 1 && variable("TERM") != "dumb"
    /// True to use colors (https://no-color.org).
    static let isColoured = isTerminal && variable("NO_COLOR").isEmpty
    /// True if the locale uses UTF-8.
    static let isUnicode: Bool = {
        let locale = [variable("LC_ALL"), variable("LC_CTYPE"), variable("LANG")].first { !$0.isEmpty } ?? ""
        return locale.lowercased().replacing("-", with: "").contains("utf8")
    }()

    /// The current columns and lines; 80 by 24 if they aren't known.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (Int(size.ws_col), max(1, Int(size.ws_row)))
    }

    /// Writes some bytes to a file descriptor, and returns their number; -1 for an error.
    static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int { systemWrite(file, bytes) }

    /// Writes without the C library's buffers, so that pipes receive each line immediately.
    static func write(_ text: String) {
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
}
#endif
