#if Tools && Server
internal import ArgumentParser
internal import Foundation
internal import NetHTTP
internal import NetTestServer

/// `net-lab downloads`: lists a catalog, downloads its files by priority, and shows the beginning of each.
struct DownloadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "Download a catalogue by priority from a server on this machine, and preview it.",
        discussion: "The exit code is 0 if every file arrived as it was sent.")

    @Option(help: "Keep the files in this folder; a temporary one by default.")
    var folder: String?

    @Option(help: "How many bytes a second the server sends of each file.")
    var rate = 1_000_000

    func validate() throws {
        guard rate > 0 else { throw ValidationError("--rate must be positive, not \(rate).") }
    }

    func run() async throws {
        let isRight = try await Workbench.with(.live, Shelves.stubs(rate: rate)) { bench in
            let client = try bench.client()
            var configuration = DownloadManager.Configuration(folder: folder ?? bench.folder, maximumConcurrent: 2)
            configuration.logDetail = .none
            let manager = DownloadManager(client: client, configuration: configuration)
            let tour = DownloadTour(client: client, manager: manager, base: "\(bench.baseURL)")
            let result: Result<Bool, any Error>
            do { result = .success(try await tour.run()) } catch { result = .failure(error) }
            await manager.shutdown()
            return try result.get()
        }
        if !isRight { throw ExitCode.failure }
    }
}
#endif
