#if Tools && Server
internal import ArgumentParser
internal import Foundation
internal import NetCore
internal import NetHTTP
internal import NetTestServer

/// `net-lab upload`: a file uploaded over a connection that is cut, with a pause and a restart.
struct UploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Upload a file to a tus server on this machine, over a connection that is cut.",
        discussion: "The exit code is 0 if the file arrived as it is, and no byte was sent twice.")

    @Option(help: "The size of the file in bytes.")
    var size = 8_000_000

    @Option(help: "How many bytes a second are sent.")
    var rate: Int64 = 8_000_000

    func validate() throws {
        guard size >= 1_000_000 else { throw ValidationError("--size must be at least 1000000, not \(size).") }
        guard rate > 0 else { throw ValidationError("--rate must be positive, not \(rate).") }
    }

    func run() async throws {
        let depot = UploadDepot()
        let isRight = try await Workbench.with(.live, depot.stubs) { bench in
            let file = "\(bench.folder)/film.mp4"
            try BytePattern.bytes(from: 0, count: size).data.write(to: URL(fileURLWithPath: file))
            var configuration = DownloadManager.Configuration(folder: "\(bench.folder)/uploads", bytesPerSecond: rate)
            configuration.retry = RetryPolicy(backoff: .constant(.milliseconds(300)))
            (configuration.keepsFree, configuration.logDetail) = (0, .none)
            let port = "\(bench.baseURL)".split(separator: ":").last.flatMap { Int($0.filter(\.isNumber)) } ?? 0
            let proxy = try await TCPProxy.start(to: port)
            let tour = UploadTour(
                client: try bench.client(), configuration: configuration, proxy: proxy, depot: depot, file: file,
                bytes: size)
            let result: Result<Bool, any Error>
            do { result = .success(try await tour.run()) } catch { result = .failure(error) }
            await proxy.stop()
            return try result.get()
        }
        if !isRight { throw ExitCode.failure }
    }
}
#endif
