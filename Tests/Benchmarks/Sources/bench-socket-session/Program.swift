import SocketWorkload

/// `WORKLOAD COUNT`: the cost of a session compared with raw messages; prints a line of JSON.
@main
enum Program {
    static func main() async {
        await SocketRun.end {
            let words = CommandLine.arguments
            guard words.count == 3, let workload = SessionWorkload(rawValue: words[1]), let count = Int(words[2]),
                count > 0
            else { throw Usage() }
            _ = try await workload.run(count / 20 + 1)
            let now = ProcessUsage.now
            let start = try await workload.run(count) ?? now
            let end = ProcessUsage.now
            print(
                """
                {"workload":"\(workload.rawValue)","messages":\(count),"seconds":\(end.seconds(since: start)),\
                "cpuSeconds":\(end.cpuSeconds(since: start))}
                """)
        }
    }

    struct Usage: Error, CustomStringConvertible {
        let description =
            "arguments: WORKLOAD COUNT; a workload is one of "
            + SessionWorkload.allCases.map(\.rawValue).joined(separator: ", ")
    }
}
