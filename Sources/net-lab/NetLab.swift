#if Tools && Server
internal import ArgumentParser

/// The tour of swift-net: every feature run for real against a server on this machine. The exit code shows whether all
/// of it worked.
@main
struct NetLab: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "net-lab",
        abstract: "Run every capability of swift-net for real against a server on this machine.",
        discussion: "The servers bind 127.0.0.1; nothing leaves this machine.",
        subcommands: [
            RunCommand.self, ListCommand.self, ConnectCommand.self, ServeCommand.self, ChatCommand.self,
            EchoServerCommand.self, PostsCommand.self, RealtimeCommand.self, SubscriptionCommand.self,
            StreamCommand.self, DownloadsCommand.self, UploadCommand.self, NetworkCommand.self,
        ])
}
#else
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Without its traits, the program has neither a command line nor a server.
@main
struct NetLab {
    static func main() {
        print("net-lab needs the package traits Tools and Server. Run scripts/demo, or:")
        print("  swift run --traits Tools,Server net-lab run --all")
        exit(1)
    }
}
#endif
