#if os(Linux)

/// The HTTP/2 streams that servers haven't processed: a GOAWAY frame names the last one of its connection that the server
/// may have processed (RFC 9113 section 6.8). A pure state machine for the connections of one multi handle.
struct RefusedStreams {
    /// The two ends of a connection.
    struct Connection: Hashable {
        let address: String
        let port: CInt
        let localPort: CInt
    }

    private var lastStreams: [Connection: Int] = [:]
    /// The connections with more than one stream.
    private var shared: Set<Connection> = []

    var isEmpty: Bool { lastStreams.isEmpty && shared.isEmpty }

    /// Records that a request was sent. The first stream belongs to a new connection, whose ports an old one may have had.
    mutating func opened(_ stream: Int, on connection: Connection) {
        if stream > 1 {
            shared.insert(connection)
        } else if !isEmpty {
            lastStreams[connection] = nil
            shared.remove(connection)
        }
    }

    /// Records a GOAWAY. A server may send several, whose numbers get smaller: the first only says that it will close the
    /// connection.
    mutating func wentAway(_ connection: Connection, after last: Int) {
        lastStreams[connection] = min(last, lastStreams[connection] ?? .max)
    }

    /// True if the server of the connection hasn't processed the stream, and never will.
    func contains(_ stream: Int, of connection: Connection) -> Bool {
        guard stream > 0, let last = lastStreams[connection] else { return false }
        return stream > last
    }

    /// True if the stream was the only one of its connection, without a GOAWAY. If libcurl wants to send its request again,
    /// the server has refused it. On a shared connection, libcurl also wants that after a response was lost.
    func isAlone(_ stream: Int, on connection: Connection) -> Bool {
        stream == 1 && !shared.contains(connection) && lastStreams[connection] == nil
    }

    mutating func removeAll() {
        lastStreams.removeAll()
        shared.removeAll()
    }
}
#endif
