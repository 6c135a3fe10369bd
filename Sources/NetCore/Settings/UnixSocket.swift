/// A socket of this machine that a server listens on instead of a port (unix(7)).
///
///     var connection = ConnectionConfiguration()
///     connection.unixSockets = ["docker": .path("/var/run/docker.sock")]  // for http://docker/…
public enum UnixSocket: Sendable, Hashable {
    /// A file.
    case path(String)
    /// A name of Linux's abstract namespace, without the leading zero byte.
    case abstract(String)

    /// The most bytes of a path or name (`sun_path` has 108, one of them is a zero).
    public static let maximumBytes = 107

    /// What is wrong with it; nil when nothing is.
    package var problem: String? {
        let text =
            switch self {
            case .path(let text), .abstract(let text): text
            }
        if text.isEmpty { return "the socket has no path" }
        if text.utf8.contains(0) { return "the socket's path has a zero byte" }
        guard text.utf8.count > Self.maximumBytes else { return nil }
        return "the socket's path has \(text.utf8.count) bytes; \(Self.maximumBytes) is the most that a system takes"
    }
}
