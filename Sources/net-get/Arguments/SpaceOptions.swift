#if Tools
internal import ArgumentParser
internal import NetHTTP

/// The options about the space on the disk.
struct SpaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Leave this much space free, such as 500M; at most a twentieth of the disk.", valueName: "bytes"))
    var keepFree: ByteCount?
    @Option(
        help: ArgumentHelp(
            "Wait for space for so long before a download fails. Default: 60 without a terminal; in one, no limit.",
            valueName: "seconds"))
    var spaceTimeout: Double?

    func validate() throws {
        guard spaceTimeout.map({ (0...1e9).contains($0) }) ?? true else {
            throw ValidationError("--space-timeout must be a number of seconds.")
        }
    }

    /// Applies the options to a manager.
    func apply(to configuration: inout DownloadManager.Configuration) {
        if let keepFree { configuration.keepsFree = keepFree.bytes }
        let standard: Duration? = StandardOutput.isTerminal ? nil : .seconds(60)
        configuration.diskSpaceTimeout = spaceTimeout.map { .nearest(seconds: $0) } ?? standard
    }
}
#endif
