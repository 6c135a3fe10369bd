#if os(Linux)
internal import CCurl
internal import Glibc

/// The text of authorities as a file in memory. What libcurl 7.87 and later read from a file serves many connections; a text is
/// read anew for each, which takes 0.1 ms and 6 KB for every certificate in it.
final class AuthorityFile: Sendable {
    private let descriptor: CInt

    /// nil where the system makes no such file, or shows it to nobody.
    init?(_ text: String) {
        descriptor = net_memory_file("authorities")
        guard descriptor >= 0 else { return nil }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        guard rest.isEmpty, access(path, R_OK) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    var path: String { "/proc/self/fd/\(descriptor)" }
}
#endif
