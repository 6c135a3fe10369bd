package import NetCore

/// The times and sizes of a HAR entry that a cassette doesn't keep.
package struct HARTimes: Sendable, Hashable {
    /// The time from the start to the last byte; nil if it isn't known.
    package var total: Duration?
    /// The duration of each phase.
    package var phases = TransferPhases()
    /// The server's address.
    package var address: String?
    /// The sizes of the bodies as transferred; nil if they aren't known.
    package var requestBytes, responseBytes: Int64?
    /// The size of the response body after decoding; nil if it isn't known.
    package var contentBytes: Int64?

    package init(_ entry: JSONNode) {
        func size(_ node: JSONNode?) -> Int64? { node?.number.flatMap { $0 >= 0 ? Int64(exactly: $0) : nil } }
        requestBytes = size(entry["request"]?["bodySize"])
        responseBytes = size(entry["response"]?["bodySize"])
        contentBytes = size(entry["response"]?["content"]?["size"])
        address = entry["serverIPAddress"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        guard let timings = entry["timings"] else { return }
        // -1 means that the phase didn't take place.
        func time(_ name: String) -> Duration? {
            timings[name]?.number.flatMap { $0 >= 0 && $0 < 1e13 ? .microseconds(Int64(($0 * 1000).rounded())) : nil }
        }
        let secure = time("ssl")
        // In HAR, `connect` includes the TLS handshake.
        let connect = time("connect").map { max(.zero, $0 - (secure ?? .zero)) }
        phases = TransferPhases(
            queued: time("blocked"), lookup: time("dns"), connect: connect, secure: secure,
            sending: time("send"), waiting: time("wait"), download: time("receive"))
        if let all = entry["time"]?.number, all >= 0, all < 1e13 {
            total = .microseconds(Int64((all * 1000).rounded()))
        }
    }
}
