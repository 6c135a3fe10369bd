#if os(Linux)
internal import CCurl
internal import Glibc

/// CA certificates as a file in memory. libcurl 7.87 and later parse a file once for many connections, but a text once
/// per connection, which takes 0.1 ms and 6 KB per certificate.
final class AuthorityFile: Sendable {
    private let descriptor: CInt

    /// Creates a file; nil if the system doesn't support it, or if the file isn't readable.
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
