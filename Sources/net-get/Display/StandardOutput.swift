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

/// The standard output, and what it can show.
enum StandardOutput {
    private static func variable(_ name: String) -> String { ProcessInfo.processInfo.environment[name] ?? "" }

    /// Whether it can be drawn over.
    static let isTerminal = isatty(STDOUT_FILENO) == 1 && variable("TERM") != "dumb"
    /// Whether colours are wanted (https://no-color.org).
    static let isColoured = isTerminal && variable("NO_COLOR").isEmpty
    /// Whether the locale says that text is UTF-8.
    static let isUnicode: Bool = {
        let locale = [variable("LC_ALL"), variable("LC_CTYPE"), variable("LANG")].first { !$0.isEmpty } ?? ""
        return locale.lowercased().replacing("-", with: "").contains("utf8")
    }()

    /// The columns and lines as they are now; 80 by 24 where nobody says.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (Int(size.ws_col), max(1, Int(size.ws_row)))
    }

    /// Writes past the buffers of the C library, so that pipes have each line when it is written.
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
