package import NetCore

/// The times and sizes of a HAR entry that a cassette doesn't keep.
package struct HARTimes: Sendable, Hashable {
    /// The time from the start to the last byte; nil if it isn't known.
    package var total: Duration?
    /// The duration of each phase.
    package var phases = TransferPhases()
    /// The server's address.
    package var address: String?
    /// The sizes of the bytes as transferred; nil if they aren't known.
    package var requestBytes, responseBytes: Int64?
    /// The size of the response body after decoding; nil if it isn't known.
    package var contentBytes: Int64?
    /// True if a browser took the response from its cache.
    package var isFromCache = false

    package init(_ entry: JSONNode, by producer: HARProducer = HARProducer()) {
        func size(_ node: JSONNode?) -> Int64? { node?.number.flatMap { $0 >= 0 ? Int64(exactly: $0) : nil } }
        requestBytes = size(entry["request"]?["bodySize"])
        responseBytes = size(entry["response"]?["bodySize"])
        contentBytes = size(entry["response"]?["content"]?["size"])
        isFromCache = Self.isFromCache(entry)
        address = entry["serverIPAddress"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        guard entry["timings"] != nil else { return }
        let (times, all) = producer.times(entry)
        func time(_ milliseconds: Double?) -> Duration? {
            milliseconds.map { .microseconds(Int64(($0 * 1000).rounded())) }
        }
        phases = TransferPhases(
            queued: time(times.blocked), lookup: time(times.dns), connect: time(times.connect),
            secure: time(times.tls), sending: time(times.send), waiting: time(times.wait),
            download: time(times.receive))
        total = time(all)
    }

    /// Chromium writes `_fromCache`, Safari `_fetchType`, and Firefox a status of 0 with a body.
    private static func isFromCache(_ entry: JSONNode) -> Bool {
        if entry["_netActivity"] != nil { return false }
        if let cache = entry["_fromCache"], cache.string != nil || cache.bool == true { return true }
        let type = entry["response"]?["_fetchType"]?.string ?? entry["_fetchType"]?.string
        if type == "Memory Cache" || type == "Disk Cache" { return true }
        return entry["response"]?["status"]?.number == 0 && entry["response"]?["content"]?["text"]?.string != nil
    }
}
