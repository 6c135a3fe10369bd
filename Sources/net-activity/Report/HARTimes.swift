#if Tools
internal import NetCore
internal import NetRecord

/// The times of an entry of a HAR file, which a cassette doesn't keep.
struct HARTimes {
    /// From the start to the last byte; nil if it isn't known.
    var total: Duration?
    var phases = TransferPhases()
    /// The server's address.
    var address: String?

    /// Those of all entries, in their order.
    static func all(of path: String) throws(RecordFileError) -> [HARTimes?] {
        let document = try RecordFile(path).read(advice: "export the HAR file again")
        return (document.node["log"]?["entries"]?.array ?? []).map { HARTimes($0) }
    }

    private init?(_ entry: JSONNode) {
        guard let timings = entry["timings"] else { return nil }
        // -1 stands for a phase that didn't take place.
        func time(_ names: String...) -> Duration? {
            let values = names.compactMap { timings[$0]?.number }.filter { $0 >= 0 && $0 < 1e13 }
            return values.isEmpty ? nil : .microseconds(Int64((values.reduce(0, +) * 1000).rounded()))
        }
        let secure = time("ssl")
        // The handshake of TLS is a part of connecting there.
        let connect = time("connect").map { max(.zero, $0 - (secure ?? .zero)) }
        phases = TransferPhases(
            queued: time("blocked"), lookup: time("dns"), connect: connect, secure: secure,
            waiting: time("send", "wait"), download: time("receive"))
        if let all = entry["time"]?.number, all >= 0, all < 1e13 {
            total = .microseconds(Int64((all * 1000).rounded()))
        }
        address = entry["serverIPAddress"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
}
#endif
