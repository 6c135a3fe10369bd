internal import NetCore

/// The program that wrote a HAR file. Some programs write times in another way than HAR 1.2 (docs/har.md).
package struct HARProducer: Sendable, Hashable {
    package var name: String?
    package var version: String?

    package init(name: String? = nil, version: String? = nil) {
        self.name = name
        self.version = version
    }

    init(_ creator: JSONNode?) {
        self.init(name: creator?["name"]?.string, version: creator?["version"]?.string)
    }

    /// True if `ssl` is the time after `connect`; otherwise, as in HAR 1.2, it is a part of `connect`.
    private var writesTLSBeside: Bool {
        let name = name?.lowercased() ?? ""
        return name.hasPrefix("firefox") || name.hasPrefix("mitmproxy")
    }

    /// The phases of an entry in milliseconds, with the TLS handshake beside the connection; nil for a phase that
    /// didn't take place.
    struct Phases: Sendable, Hashable {
        var blocked, dns, connect, tls, send, wait, receive: Double?

        var all: [Double?] { [blocked, dns, connect, tls, send, wait, receive] }
        var sum: Double { all.reduce(0) { $0 + ($1 ?? 0) } }
        /// The time until the response head.
        var untilHead: Double { sum - (receive ?? 0) }
    }

    /// Returns the phases, and the entry's time; nil for a time that isn't known.
    ///
    /// The sum doesn't show where `ssl` belongs: all seven phases add up to `time` in files of mitmproxy, where it
    /// is beside `connect`, and in files of Playwright 1.56, where it is a part of `connect` and is counted twice.
    func times(_ entry: JSONNode) -> (phases: Phases, total: Double?) {
        func time(_ node: JSONNode?) -> Double? { node?.number.flatMap { $0 >= 0 && $0 < 1e13 ? $0 : nil } }
        let timings = entry["timings"]
        var phases = Phases(
            blocked: time(timings?["blocked"]), dns: time(timings?["dns"]), connect: time(timings?["connect"]),
            tls: time(timings?["ssl"]), send: time(timings?["send"]), wait: time(timings?["wait"]),
            receive: time(timings?["receive"]))
        var total = time(entry["time"])
        guard let connect = phases.connect, let tls = phases.tls, tls > 0 else { return (phases, total) }
        // A part can't be longer than the whole.
        if writesTLSBeside || tls > connect { return (phases, total) }
        let twice = phases.sum
        phases.connect = connect - tls
        guard let known = total else { return (phases, total) }
        // Programs round to a microsecond or to a millisecond. Some don't count `send` and `blocked`.
        let tolerance = known == known.rounded() ? min(1, tls / 2) : 0.01
        let uncounted = [0, phases.send ?? 0, (phases.send ?? 0) + (phases.blocked ?? 0)]
        if uncounted.contains(where: { abs(twice - $0 - known) <= tolerance }) { total = known - tls }
        return (phases, total)
    }
}
