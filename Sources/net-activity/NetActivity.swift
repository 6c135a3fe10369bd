#if Tools
internal import ArgumentParser

/// Looks into a file that an `ActivityStore` wrote.
@main
struct NetActivity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "net-activity",
        abstract: "Show the network calls stored in an activity file.",
        discussion: "The file is opened for reading only and never made. Times are UTC.",
        subcommands: [List.self, Show.self, Stats.self])
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
