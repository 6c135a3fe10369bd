#if Tools
internal import NetCore
internal import NetStore

/// Timeouts, by phase.
enum TimeOuts: DoctorRule {
    static let name = "time-outs"
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
                "They wait in the client's own line: allow more connections or transfers at once, or ask less."
            )
        case "resolving": ("while the name is looked up", "Look at the name server that the machine uses.")
        case "connecting":
            (
                "while connecting",
                "Nothing answers at that address and port: look at the host, the firewall and the VPN."
            )
        case "securing":
            (
                "during the TLS handshake",
                "Connected, but no TLS: a proxy in between, an overloaded server, or plain HTTP."
            )
        case "sending": ("while the request is sent", "The way up is slow or blocked: send less, or allow more time.")
        case "waiting":
            (
                "while they wait for the response",
                "The server takes longer than allowed: see what it does meanwhile, or allow more (Timeouts.firstByte)."
            )
        case "receiving":
            (
                "while the response arrives",
                "The response stalls: look at server and network, or allow more (Timeouts.stall)."
            )
        default: ("", "Open one of the calls: net-activity show ID.")
        }
    }
}
#endif
