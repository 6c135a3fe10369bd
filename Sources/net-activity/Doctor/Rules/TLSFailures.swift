#if Tools
internal import NetStore

/// TLS handshakes that fail.
enum TLSFailures: DoctorRule {
    static let name = "tls-failures"

    static func findings(in examination: Examination) -> [Finding] {
        let groups = examination.groups { $0.item.failure?.code == "tls" ? $0.host : nil }
        return groups.map { host, calls in
            let said = Figures.most(calls.compactMap { $0.item.failure?.message })?.value ?? ""
            return Finding(
                name, .error, "TLS with \(host) fails",
                "\(Figures.counted(calls.count, "call")): \(said)",
                advice: """
                    Check what the server presents: openssl s_client -connect \
                    \(host.contains(":") ? host : host + ":443"). Add a private certificate authority to \
                    TLSConfiguration; verification stays on.
                    """,
                filter: .host(ActivityFilter.literal(host)) & .error("tls"), calls: calls)
        }
    }
}
#endif
