#if Tools
internal import ArgumentParser
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetStore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Sends entries to an OpenTelemetry collector.
struct ExportOTLP: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otlp", abstract: "Send entries to an OpenTelemetry collector, as OTLP over HTTP in JSON.",
        discussion: """
            Each entry is sent once: the file remembers what the collector has received, under the name of --cursor. \
            Calls, WebSockets and jobs are sent as spans, and with --logs also log lines. docs/otlp.md has all \
            attributes.

            OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES have the \
            meaning that OpenTelemetry gives them. Tokens belong in OTEL_EXPORTER_OTLP_HEADERS: others can see a command line.

            The exit code is 4 if the collector refuses the requests.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndFilter, completion: .fileAndFilter) var words: [String] = []
    @Option(
        help: """
            The base URL of the collector. Default $OTEL_EXPORTER_OTLP_ENDPOINT, or else http://localhost:4318.
            """)
    var endpoint: String?
    @Option(name: [.long, .customShort("H")], help: "A header of each request, 'name: value'. May be repeated.")
    var header: [String] = []
    @Flag(help: "Keep sending entries as they are stored, until interrupted.") var follow = false
    @Flag(help: "Also send log lines.") var logs = false
    @Option(help: "The name under which the file remembers what was sent.") var cursor = "otlp"
    @Flag(help: "Send all entries, and remember nothing: the file is not modified.") var noCursor = false
    @Flag(help: "Start with the oldest entry, regardless of what was sent before.") var fromStart = false

    @Option(help: "The maximum number of spans or records per request.") var batch = 512

    func validate() throws {
        guard batch > 0 else { throw ValidationError("--batch must be positive, not \(batch).") }
        guard !cursor.isEmpty else { throw ValidationError("--cursor needs a name.") }
        guard !noCursor || !fromStart else { throw ValidationError("--no-cursor always starts with the oldest entry.") }
    }

    func run() async throws {
        let (file, rest) = try store.split(words)
        let settings = try settings(filter: ActivityFilter(words: rest))
        let recorded = try await RecordedStore(of: file)
        defer { recorded?.remove() }
        let client = HTTPClient(configuration: HTTPClient.Configuration())
        var exporters: [OTLPExporter] = []
        do throws(OTLPError) {
            for signal in logs ? OTLPExporter.Signal.allCases : [.traces] {
                var settings = settings
                settings.signal = signal
                exporters.append(
                    try OTLPExporter(path: recorded?.path ?? file, client: client, configuration: settings))
            }
        } catch {
            if let error = error.storeError { throw error }
            throw Failure(code: .usage, description: error.message)
        }
        let ending: (any Error)?
        do {
            try await send(with: exporters)
            ending = nil
        } catch {
            ending = error
        }
        report(exporters)
        for exporter in exporters { await exporter.close() }
        await client.shutdown()
        guard let error = ending as? OTLPError else { if let ending { throw ending } else { return } }
        if let error = error.storeError { throw error }
        throw Failure(code: .collector, description: error.message)
    }

    private func settings(filter: ActivityFilter) throws -> OTLPExporter.Configuration {
        let environment = ProcessInfo.processInfo.environment
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let endpoint = endpoint ?? variable("OTEL_EXPORTER_OTLP_ENDPOINT") ?? "http://localhost:4318"
        var settings = OTLPExporter.Configuration(endpoint: endpoint, cursor: noCursor ? nil : cursor)
        settings.filter = filter
        settings.startsOver = fromStart
        settings.maximumBatch = batch
        for (name, value) in EnvironmentList(variable("OTEL_EXPORTER_OTLP_HEADERS") ?? "").members {
            settings.headers[try Self.name(name)] = value
        }
        for text in header {
            guard let colon = text.firstIndex(of: ":") else {
                throw ValidationError("Write a --header as 'name: value'.")
            }
            let value = text[text.index(after: colon)...].drop { $0 == " " }
            settings.headers[try Self.name(String(text[..<colon]))] = String(value)
        }
        for (name, value) in EnvironmentList(variable("OTEL_RESOURCE_ATTRIBUTES") ?? "").members {
            settings.resource[name] = value
        }
        if let name = variable("OTEL_SERVICE_NAME") { settings.resource["service.name"] = name }
        return settings
    }

    /// Parses a header name. The error contains only the name: the value may be a secret.
    private static func name(_ text: String) throws -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            throw ValidationError("\"\(TerminalText.clean(text))\" isn't a valid header name.")
        }
        return name
    }

    /// Sends until all entries are sent, or until a signal; with `--follow`, a signal isn't an error.
    private func send(with exporters: [OTLPExporter]) async throws {
        let signals = TerminalSignals()
        let numbers = signals.numbers
        let follows = follow
        defer { signals.cancel() }
        let work = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for exporter in exporters {
                    group.addTask {
                        if follows { try await exporter.run() } else { try await exporter.export() }
                    }
                }
                try await group.waitForAll()
            }
        }
        let watch = Task {
            for await number in numbers {
                switch number {
                case SIGTSTP: TerminalSignals.pass(number)
                case SIGWINCH: break
                default: work.cancel()
                }
            }
        }
        let news = Task { await tell(exporters) }
        defer {
            watch.cancel()
            news.cancel()
        }
        do {
            try await work.value
        } catch let error as OTLPError where error.code == .cancelled {
            // Without `--follow`, an interrupted export is incomplete.
            if !follow { throw Failure(description: "interrupted; the next export continues there") }
        }
    }

    /// Prints errors while requests are retried, each once.
    private func tell(_ exporters: [OTLPExporter]) async {
        var told = exporters.map { _ in String?.none }
        while !Task.isCancelled {
            for (index, exporter) in exporters.enumerated() {
                let error = exporter.statistics.lastError
                if let error, error != told[index] { Self.say(error) }
                told[index] = error
            }
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    private func report(_ exporters: [OTLPExporter]) {
        for exporter in exporters {
            let (counts, noun) = (exporter.statistics, exporter.configuration.signal == .traces ? "spans" : "records")
            print("\(counts.sent) \(noun) sent, \(counts.rejected) rejected, \(counts.retries) requests repeated.")
            if counts.rejected > 0, let error = counts.lastError { Self.say(error) }
            if counts.missed > 0 { Self.say("\(counts.missed) entries were deleted before they were sent") }
        }
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((TerminalText.clean(text) + "\n").utf8))
    }
}

extension ExitCode {
    /// The collector refuses the entries.
    static let collector = ExitCode(4)
}

/// The members of an environment variable such as `OTEL_RESOURCE_ATTRIBUTES`: `name=value,name=value`, percent-encoded.
struct EnvironmentList {
    /// The members in order; text without `=` is skipped.
    let members: [(name: String, value: String)]

    init(_ text: String) {
        members = text.split(separator: ",").compactMap { member in
            guard let sign = member.firstIndex(of: "=") else { return nil }
            let name = member[..<sign].trimmingPrefix { $0 == " " }
            let value = member[member.index(after: sign)...].trimmingPrefix { $0 == " " }
            func plain(_ text: Substring) -> String {
                var text = text
                while text.last == " " { text.removeLast() }
                return text.removingPercentEncoding ?? String(text)
            }
            return name.isEmpty ? nil : (plain(name), plain(value))
        }
    }
}
#endif
