#if Tools
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// WebSockets that end soon after opening and are opened again.
enum FlappingSockets: DoctorRule {
    static let name = "flapping-sockets"
    static let leastSockets = 3
    /// The lifetime below which a WebSocket counts.
    static let shortLife = Duration.seconds(60)
    /// The time window, in seconds, in which the minimum number of WebSockets must have begun.
    static let window = 600.0

    static func findings(in examination: Examination) -> [Finding] {
        var groups: [String: [StoredItem]] = [:]
        for socket in examination.sockets {
            guard let url = socket.url, let duration = socket.duration, duration < shortLife else { continue }
            if socket.outcome == .completed, socket.status == 1000 { continue }
            groups[url, default: []].append(socket)
        }
        return groups.sorted { $0.key < $1.key }.compactMap { url, sockets in
            let starts = sockets.map { $0.startedAt.timeIntervalSince1970 }
            let areClose = zip(starts, starts.dropFirst(leastSockets - 1)).contains { $1 - $0 <= window }
            guard areClose else { return nil }
            let codes = Dictionary(grouping: sockets) { $0.status ?? 0 }.mapValues(\.count)
            let ends = codes.sorted { $0.value > $1.value }.map { code, count in
                "\(count) × \(code == 0 ? "no close frame" : "\(code)\(meaning(code))")"
            }
            let lives = sockets.compactMap(\.duration)
            let host = sockets.first?.host ?? ""
            return Finding(
                rule: name, severity: .error, title: "The WebSocket to \(host) flaps",
                text: """
                    It ended \(Figures.counted(sockets.count, "time")) within a minute of its start, after \
                    \(Figures.quantile(0.5, lives).short) in the median: \(ends.joined(separator: ", ")).
                    """,
                advice: advice(codes.max { $0.value < $1.value }?.key ?? 0),
                filter: (ActivityFilter.webSocket & .url(ActivityFilter.literal(url)) & .faster(than: shortLife))
                    .description,
                count: sockets.count, examples: sockets.prefix(3).map(\.uid))
        }
    }

    /// The meaning of a close code (RFC 6455 section 7.4.1).
    private static func meaning(_ code: Int) -> String {
        switch code {
        case 1001: " going away"
        case 1002: " protocol error"
        case 1003: " unsupported data"
        case 1006: " no close frame"
        case 1008: " policy violation"
        case 1009: " message too big"
        case 1011: " server error"
        case 1012: " service restart"
        case 1013: " try again later"
        default: ""
        }
    }

    private static func advice(_ code: Int) -> String {
        switch code {
        case 0, 1006:
            "Something in between closes it without a close frame, often a proxy when it's idle: send pings more often."
        case 1002, 1003, 1007, 1009: "The server rejects what is sent: look at the last message before each end."
        case 1008, 4001, 4003, 4401, 4403: "The server refuses the client: check the credential and the origin."
        case 1001, 1012, 1013: "The server restarts or is overloaded: reconnect with growing pauses."
        default: "Look at the last messages before each end: net-activity show ID."
        }
    }
}
#endif
