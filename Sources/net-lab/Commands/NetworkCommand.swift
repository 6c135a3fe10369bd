#if Tools && Server
internal import ArgumentParser
internal import NetHTTP

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

struct NetworkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network", abstract: "Show the network of this machine and every change.")

    @Option(help: "End after this many lines; 1 shows the current network.") var count: Int?

    func validate() throws {
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count must be positive.") }
    }

    func run() async throws {
        let monitor = NetworkMonitor()
        try monitor.start()
        defer { monitor.stop() }
        var shown = 0
        for await status in monitor.statuses {
            print(Self.line(status))
            // Flushed, so that a consumer of a pipe receives each change immediately.
            fflush(nil)
            shown += 1
            if shown == count { return }
        }
    }

    private static func line(_ status: NetworkStatus) -> String {
        var parts = ["\(status.reachability)"]
        if let interface = status.interface { parts.append(interface) }
        let kinds = status.interfaces.map { "\($0)" }.sorted().joined(separator: "+")
        if !kinds.isEmpty { parts.append(kinds) }
        parts.append("vpn \(status.vpn)")
        if let path = status.path { parts.append("(\(path))") }
        return parts.joined(separator: "  ")
    }
}
#endif
