#if Tools
internal import NetCore
internal import NetStore

/// Timeouts, by phase.
enum TimedOutCalls: DoctorRule {
    static let name = "timeouts"
    static let leastCalls = 2

    private struct Place: Hashable {
        let host: String
        let phase: String
    }

    static func findings(in examination: Examination) -> [Finding] {
        let groups = examination.groups { call -> Place? in
            guard let failure = call.item.failure, failure.code == "timeout" else { return nil }
            return Place(host: call.host, phase: failure.phase)
        }
        return groups.compactMap { place, calls in
            guard calls.count >= leastCalls else { return nil }
            let all = examination.calls.count { $0.host == place.host }
            let median = Figures.quantile(0.5, calls.map(\.duration))
            let (when, advice) = words(place.phase)
            return Finding(
                name, .error, "Calls to \(place.host) time out \(when)",
                """
                \(Figures.grouped(calls.count)) of \(Figures.counted(all, "call")), after \(median.short) in the median.
                """,
                advice: advice, filter: .host(ActivityFilter.literal(place.host)) & .error("timeout"), calls: calls)
        }
    }

    private static func words(_ phase: String) -> (when: String, advice: String) {
        switch phase {
        case "queued", "middleware":
            (
                "before they are sent",
                "They wait in the client's own queue: allow more concurrent connections or transfers, or fewer calls."
            )
        case "resolving": ("while resolving the host name", "Check the name server that this machine uses.")
        case "connecting":
            (
                "while connecting",
                "Nothing responds at that address and port: check the host, the firewall and the VPN."
            )
        case "securing":
            (
                "during the TLS handshake",
                "Connected, but without TLS: a proxy in between, an overloaded server, or plain HTTP."
            )
        case "sending":
            ("while sending the request", "The upload path is slow or blocked: send less, or allow more time.")
        case "waiting":
            (
                "while waiting for the response",
                "The server takes longer than allowed: check what it does, or allow more time (Timeouts.firstByte)."
            )
        case "receiving":
            (
                "while receiving the response",
                "The response stalls: check the server and the network, or allow more time (Timeouts.stall)."
            )
        default: ("", "Open one of the calls: net-activity show ID.")
        }
    }
}
#endif
