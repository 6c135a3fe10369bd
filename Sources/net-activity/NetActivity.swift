#if Tools
internal import ArgumentParser
internal import Foundation

/// Inspects a file that an `ActivityStore` wrote.
@main
struct NetActivity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "net-activity",
        abstract: "Show the calls, WebSockets, jobs and log lines stored in an activity file.",
        discussion: """
            Only `import` creates an activity file. Only import, prune, export otlp, export bundle --save, replay \
            --record, outbox retry and outbox drop write to it. Times are UTC. In a terminal, output that is longer \
            than the screen goes to $PAGER (less); NO_COLOR turns colors off.

            EXIT CODES
              0   found, or done
              1   nothing was found; replay: the response differs
              2   the command line or its filter is wrong, or replay refused to send
              3   the file can't be read or written; replay: no response was received
              4   a collector rejected the requests
            """,
        subcommands: [
            List.self, Show.self, Tail.self, Search.self, Stats.self, DoctorCommand.self, ReportCommand.self,
            LiveCommand.self, CurlCommand.self, ReplayCommand.self, CompareCommand.self, ExportCommand.self,
            ImportCommand.self, Prune.self, OutboxCommand.self,
        ])

    static func main() async {
        let ending: Ending
        do {
            var command = try await asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            ending = Ending(ExitCode.success)
        } catch let error where exitCode(for: error) == .success {
            // Help, the version, or a completion script.
            exit(withError: error)
        } catch {
            ending = Ending(error)
        }
        Pager.finish()
        if let message = ending.message { FileHandle.standardError.write(Data((message + "\n").utf8)) }
        exit(withError: ending.code)
    }
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
