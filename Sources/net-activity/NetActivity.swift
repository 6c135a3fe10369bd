#if Tools
internal import ArgumentParser

/// Looks into a file that an `ActivityStore` wrote.
@main
struct NetActivity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "net-activity",
        abstract: "Show the calls, WebSockets, jobs and lines of logs stored in an activity file.",
        discussion: "The file is never made, and but by prune opened for reading only. Times are UTC.",
        subcommands: [List.self, Show.self, Tail.self, Search.self, Stats.self, ReportCommand.self, Prune.self])
}
#else
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

@main
struct NetActivity {
    static func main() {
        print("net-activity was built without its command line: build it with the package trait Tools.")
        exit(1)
    }
}
#endif
