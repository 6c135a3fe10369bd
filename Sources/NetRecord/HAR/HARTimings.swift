internal import NetCore

/// The phases of an exchange as HAR 1.2 wants them: what the transport has measured, or the time until the head alone.
///
/// All but `receive` add up to the time until the head came, so that a reader finds it again. `ssl` is a part of `connect`.
/// libcurl doesn't say how long a request was on its way out: that is in `wait`.
struct HARTimings {
    private var blocked: Duration?
    private var dns: Duration?
    private var connect: Duration?
    private var ssl: Duration?
    private let wait: Duration
    private let receive: Duration
    /// The server's address without its port; nil if it isn't known.
    private(set) var serverAddress: String?

    init(_ exchange: CapturedExchange) {
        let pauses = exchange.response?.body.pieces.reduce(.zero) { $0 + $1.delay } ?? .zero
        guard let metrics = exchange.metrics else {
            (wait, receive) = (exchange.duration, pauses)
            return
        }
        var left = exchange.duration
        var last = Duration.zero
        func phase(_ end: Duration?) -> Duration? {
            guard let end else { return nil }
            let phase = min(left, max(.zero, end - last))
            (left, last) = (left - phase, max(last, end))
            return phase
        }
        blocked = phase(metrics.queued)
        dns = phase(metrics.resolved)
        let (tcp, tls) = (phase(metrics.connected), phase(metrics.secured))
        if tcp != nil || tls != nil { connect = (tcp ?? .zero) + (tls ?? .zero) }
        ssl = tls
        wait = left
        receive = max(pauses, metrics.firstByte.map { metrics.total - $0 } ?? .zero)
        serverAddress = metrics.remoteAddress.map(Self.withoutPort)
    }

    /// All phases together.
    var total: Duration {
        [blocked, dns, connect, wait, receive].reduce(.zero) { $0 + ($1 ?? .zero) }
    }

    var value: JSONValue {
        [
            "blocked": Self.milliseconds(blocked), "dns": Self.milliseconds(dns),
            "connect": Self.milliseconds(connect), "ssl": Self.milliseconds(ssl), "send": 0,
            "wait": Self.milliseconds(wait), "receive": Self.milliseconds(receive),
        ]
    }

    /// The time until the head came: all phases before; -1 stands for one that didn't take place.
    static func untilHead(_ timings: JSONNode) -> Double? {
        let phases = ["blocked", "dns", "connect", "send", "wait"].compactMap { timings[$0]?.number }
        return phases.isEmpty ? nil : phases.reduce(0) { $0 + max(0, $1) }
    }

    private static func milliseconds(_ duration: Duration?) -> JSONValue {
        duration.map(CassetteWriter.milliseconds) ?? -1
    }

    /// `127.0.0.1` of `127.0.0.1:80`, `::1` of `[::1]:80`.
    private static func withoutPort(_ address: String) -> String {
        if address.hasPrefix("["), let end = address.firstIndex(of: "]") {
            return String(address[address.index(after: address.startIndex)..<end])
        }
        guard let colon = address.lastIndex(of: ":"), address.firstIndex(of: ":") == colon else { return address }
        return String(address[..<colon])
    }
}
