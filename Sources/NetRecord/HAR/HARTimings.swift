internal import NetCore

/// The phases of an exchange in HAR 1.2: as measured by the transport, or only the time until the response head.
///
/// All phases except `receive` add up to the time until the response head, so that a reader can restore it. `ssl` is
/// part of `connect`.
struct HARTimings {
    private var blocked: Duration?
    private var dns: Duration?
    private var connect: Duration?
    private var ssl: Duration?
    private let send, wait: Duration
    private let receive: Duration
    /// The server's address without the port; nil if it isn't known.
    private(set) var serverAddress: String?

    init(_ exchange: CapturedExchange) {
        let pauses = exchange.response?.body.pieces.reduce(.zero) { $0 + $1.delay } ?? .zero
        guard let metrics = exchange.metrics else {
            (send, wait, receive) = (.zero, exchange.duration, pauses)
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
        send = min(left, metrics.phases.sending ?? .zero)
        wait = left - send
        receive = max(pauses, metrics.firstByte.map { metrics.total - $0 } ?? .zero)
        serverAddress = metrics.remoteAddress.map(Self.withoutPort)
    }

    /// The sum of all phases.
    var total: Duration {
        [blocked, dns, connect, send, wait, receive].reduce(.zero) { $0 + ($1 ?? .zero) }
    }

    var value: JSONValue {
        [
            "blocked": Self.milliseconds(blocked), "dns": Self.milliseconds(dns),
            "connect": Self.milliseconds(connect), "ssl": Self.milliseconds(ssl),
            "send": Self.milliseconds(send), "wait": Self.milliseconds(wait), "receive": Self.milliseconds(receive),
        ]
    }

    private static func milliseconds(_ duration: Duration?) -> JSONValue {
        duration.map(CassetteWriter.milliseconds) ?? -1
    }

    /// Returns `127.0.0.1` for `127.0.0.1:80`, `::1` for `[::1]:80`.
    private static func withoutPort(_ address: String) -> String {
        if address.hasPrefix("["), let end = address.firstIndex(of: "]") {
            return String(address[address.index(after: address.startIndex)..<end])
        }
        guard let colon = address.lastIndex(of: ":"), address.firstIndex(of: ":") == colon else { return address }
        return String(address[..<colon])
    }
}
