#if Tools
internal import ArgumentParser
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP

/// Downloads and uploads files with a `DownloadManager`.
@main
struct NetGet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "net-get",
        abstract: "Download and upload files that survive lost connections, Ctrl-C, crashes and power cuts.",
        usage:
            "net-get [OPTIONS] URL…\nnet-get [OPTIONS] --input-file FILE\nnet-get [OPTIONS]          continues what an earlier run left unfinished\nnet-get --upload FILE [OPTIONS] URL\nnet-get --list | --forget TRANSFER [OPTIONS]",
        discussion: """
            A file gets its name only when it is complete and its checksum is right; until then its data is in the \
            folder .downloads beside it. The same command continues where it stopped, and so does a new link to the \
            same file with the same --output; without a URL, all unfinished downloads of the folder are continued. \
            Parts are joined only if the server confirms that they belong to the same file.

            In a terminal, each file has a progress bar; elsewhere a line is printed when a file begins, ends or \
            waits. Ctrl-C pauses and keeps the received data. A second Ctrl-C ends the program immediately, and is \
            just as safe.

            With --upload, files are sent to the URL, by tus or the IETF's resumable uploads if the server supports \
            one of them. Only the server knows how much it has received: the same command asks it, and sends the \
            rest. A file that has changed since starts over.

            An input file has a URL on each line, followed by its options: name=, mirror= (any number), checksum=, \
            priority=low, normal, high or critical.

            EXIT CODES
              0    all files are complete
              1    at least one file could not be loaded
              2    nothing was started: the folder or the input file can't be used, or another program uses the folder;
                   or --forget found nothing
              64   the command line is wrong
              130  paused by Ctrl-C (143 by a SIGTERM); the next run in the folder continues
            """)

    @Argument(help: ArgumentHelp("The URLs to load, http or https.", valueName: "URL"))
    var urls: [String] = []
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The folder, or the path of the file if there is one URL; - is standard output. Default: the working folder.",
            valueName: "path"))
    var output: String?
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Read URLs from a file, one per line; - is standard input.", valueName: "file"))
    var inputFile: String?
    @Option(
        help: ArgumentHelp(
            "The checksum of the file, such as sha-256=2cf24dba…; for one URL.", valueName: "digest"))
    var checksum: String?
    @Option(help: ArgumentHelp("Another URL of the same file; for one URL with a checksum.", valueName: "URL"))
    var mirror: [String] = []
    @Option(
        name: .shortAndLong,
        help: "Load a file in up to this many ranges at the same time, if that makes it faster.")
    var parallel = 1
    @Option(name: .shortAndLong, help: "Load this many files at the same time.")
    var files = 3
    @Option(help: ArgumentHelp("The maximum bytes per second in total, such as 500k or 2M.", valueName: "rate"))
    var limitRate: ByteCount?
    @Option(
        help:
            "What to do if a file exists: number the new one, replace it, fail, or ask the server for another version."
    )
    var existing = Existing.number
    @Flag(inversion: .prefixedNo, help: "Give each file the date that it has on the server.")
    var keepDate = false
    @OptionGroup(title: "DISK SPACE") var space: SpaceOptions
    @OptionGroup(title: "UPLOADS") var uploading: UploadOptions
    @Option(
        name: .customLong("header"),
        help: ArgumentHelp("A header for the requests, \"Name: value\".", valueName: "field"))
    var headers: [String] = []
    @Option(help: ArgumentHelp("Trust the authorities of this PEM file instead of the system's.", valueName: "file"))
    var caFile: String?
    @Flag(inversion: .prefixedNo, help: "Flush each file to the disk before it gets its name.")
    var flush = true
    @Flag(help: "Write a JSON object for each event to standard output.")
    var json = false
    @Flag(name: .shortAndLong, help: "Print only failures.")
    var quiet = false
    @Flag(name: .shortAndLong, help: "Write a log to standard error.")
    var verbose = false
    @Flag(help: "Print the unfinished downloads of the folder, and the unfinished uploads.")
    var list = false
    @Option(
        help: ArgumentHelp(
            "Drop an unfinished transfer and its part: its ID, its name, its URL, or all; may be repeated.",
            valueName: "transfer"))
    var forget: [String] = []
    @Flag(name: [.customShort("n"), .long], help: "Ask the servers and print what would be loaded, but load nothing.")
    var dryRun = false

    func validate() throws {
        guard limitRate.map({ $0.bytes > 0 }) ?? true else { throw ValidationError("--limit-rate must be above 0.") }
        guard (1...64).contains(parallel) else { throw ValidationError("--parallel must be 1 to 64, not \(parallel).") }
        guard (1...256).contains(files) else { throw ValidationError("--files must be 1 to 256, not \(files).") }
        let isSingle = urls.count == 1 && inputFile == nil
        guard isSingle || (checksum == nil && mirror.isEmpty) else {
            throw ValidationError(
                "--checksum and --mirror need exactly one URL; an input file has checksum= and mirror=.")
        }
        guard mirror.isEmpty || checksum != nil else {
            throw ValidationError("--mirror needs --checksum: nothing else proves that both have the same file.")
        }
        if let checksum, DownloadChecksum(checksum) == nil {
            throw ValidationError("\"\(TerminalText.clean(checksum))\" isn't a checksum such as sha-256=2cf24dba….")
        }
        _ = try headerFields()
        if StreamLoader.isStream(output) {
            guard isSingle else { throw ValidationError("--output to a stream needs exactly one URL.") }
            guard mirror.isEmpty, parallel == 1 else {
                throw ValidationError("--output to a stream can't be combined with --mirror or --parallel.")
            }
        }
        guard forget.isEmpty && !list || urls.isEmpty && inputFile == nil && uploading.files.isEmpty else {
            throw ValidationError("--list and --forget can't be combined with URLs and uploads.")
        }
        guard !uploading.files.isEmpty else { return }
        guard isSingle else { throw ValidationError("--upload needs exactly one URL, to which the files are sent.") }
        guard checksum == nil, output == nil, parallel == 1, !dryRun else {
            throw ValidationError(
                "--upload can't be combined with --checksum, --mirror, --output, --parallel or --dry-run.")
        }
    }

    func run() async throws {
        if list || !forget.isEmpty {
            let folder = Destination(output: output, fileCount: 0).folder
            let unfinished = Unfinished(folder: folder, states: uploading.folder, isJSON: json)
            throw ExitCode(forget.isEmpty ? unfinished.list() : unfinished.forget(forget))
        }
        guard uploading.files.isEmpty else { return try await upload() }
        let sources = try self.sources()
        let destination = Destination(output: output, fileCount: max(1, sources.count))
        let client = try self.client()
        let requests = sources.map { request(for: $0, named: destination.name) }
        if let output, StreamLoader.isStream(output), !dryRun {
            let loader = StreamLoader(client: client, request: requests[0], target: output, isQuiet: quiet)
            let code = await loader.run()
            await client.shutdown()
            throw ExitCode(code)
        }
        if dryRun {
            let hasFailed = await DryRun(client: client, isJSON: json).run(requests)
            await client.shutdown()
            throw ExitCode(hasFailed ? 1 : 0)
        }
        var configuration = DownloadManager.Configuration(folder: destination.folder)
        configuration.flushesAtEnd = flush
        space.apply(to: &configuration)
        throw ExitCode(await loader(client, configuration, count: requests.count).run(requests))
    }

    /// Sends the files of `--upload`.
    private func upload() async throws {
        let origin = try? BaseURL(urls[0]).origin
        let client = try self.client(headersFor: origin)
        let requests = uploading.requests(to: urls[0])
        let configuration = DownloadManager.Configuration(folder: uploading.folder, keepsFree: 0)
        throw ExitCode(await loader(client, configuration, count: requests.count).run([], uploads: requests))
    }

    private func loader(_ client: HTTPClient, _ configuration: DownloadManager.Configuration, count: Int) -> Loader {
        var configuration = configuration
        configuration.maximumConcurrent = files
        configuration.queueLimit = max(100, count * 2)
        configuration.bytesPerSecond = limitRate.map(\.bytes)
        configuration.logDetail = verbose ? .standard : .none
        return Loader(
            client: client, configuration: configuration, reporter: Reporter(isJSON: json, isQuiet: quiet),
            hasHeaders: !headers.isEmpty)
    }

    // MARK: What to load

    private func sources() throws -> [Source] {
        var sources = urls.map { Source(url: $0) }
        if let checksum { sources[0].checksum = DownloadChecksum(checksum) }
        if !mirror.isEmpty { sources[0].mirrors = mirror }
        guard let inputFile else { return sources }
        do {
            let data =
                inputFile == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data()
                : try Data(contentsOf: URL(fileURLWithPath: inputFile))
            return sources + (try Source.list(of: String(decoding: data, as: UTF8.self)))
        } catch {
            Reporter.complain("\(TerminalText.clean(inputFile)) can't be used: \(ErrorSummary.describe(error))")
            throw ExitCode(2)
        }
    }

    private func request(for source: Source, named name: String?) -> DownloadRequest {
        var request = DownloadRequest(source.url, fileName: source.name ?? name, priority: source.priority)
        request.checksum = source.checksum
        request.mirrors = source.mirrors
        request.ranges = parallel
        request.existing = existing.file
        request.keepsServerDate = keepDate
        return request
    }

    private func headerFields() throws -> HTTPFields {
        var fields = HTTPFields()
        for text in headers {
            let parts = text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
                throw ValidationError("Write --header as \"Name: value\".")
            }
            fields.append(HTTPField(name: name, value: parts[1].trimmingCharacters(in: .whitespaces)))
        }
        return fields
    }

    private func client(headersFor origin: String? = nil) throws -> HTTPClient {
        let added = AddedHeaders(fields: try headerFields(), origin: origin)
        let configuration = HTTPClient.Configuration(modifiers: [added])
        #if os(Linux)
        guard let caFile else { return HTTPClient(configuration: configuration) }
        var transport = CurlTransport.Configuration()
        transport.tls.trust = .authorities(.file(caFile))
        return HTTPClient(configuration: configuration, transport: CurlTransport(configuration: transport))
        #else
        return HTTPClient(configuration: configuration)
        #endif
    }
}

/// The action for a file that already exists.
enum Existing: String, ExpressibleByArgument, CaseIterable {
    case number, replace, fail, ask

    var file: ExistingFile {
        switch self {
        case .number: .number
        case .replace: .replace
        case .fail: .fail
        case .ask: .ask
        }
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
struct NetGet {
    static func main() {
        print("net-get was built without its command line: build it with the package trait Tools.")
        exit(1)
    }
}
#endif
