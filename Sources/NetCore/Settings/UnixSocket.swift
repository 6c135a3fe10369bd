/// A Unix domain socket of this machine, on which a server listens instead of a port (unix(7)).
///
///     var connection = ConnectionConfiguration()
///     connection.unixSockets = ["docker": .path("/var/run/docker.sock")]  // for http://docker/…
public enum UnixSocket: Sendable, Hashable {
    /// The path of a socket file.
    case path(String)
    /// A name in Linux's abstract namespace, without the leading zero byte.
    case abstract(String)

    /// The maximum length of a path or name in bytes (`sun_path` has 108, one of them a zero).
    public static let maximumBytes = 107

    /// The problem with the path or name; nil if there is none.
    package var problem: String? {
        let text =
            switch self {
            case .path(let text), .abstract(let text): text
            }
        if text.isEmpty { return "the socket has no path" }
        if text.utf8.contains(0) { return "the socket's path has a zero byte" }
        guard text.utf8.count > Self.maximumBytes else { return nil }
        return "the socket's path has \(text.utf8.count) bytes; the limit is \(Self.maximumBytes)"
    }
}
