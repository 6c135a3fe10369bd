#if Tools
internal import ArgumentParser
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Send a call again, and show how the response differs from the stored one.",
        discussion: """
            Hidden values must be given: otherwise nothing is sent, and the missing values are listed. Asks before \
            sending methods that may change something. Credentials are sent only to the server of the call, not to \
            servers that it redirects to. \
            docs/replay.md explains what is sent and compared.

            EXIT CODES
              0   the response is the same
              1   it differs, or there is no such call
              2   the command line is wrong, or nothing was sent
              3   a file can't be read, or no complete response was received
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndEntry, completion: .entries) var words: [String]
    @Option(help: "The attempt to repeat, without following redirects. Default: the call as it was started.")
    var attempt: Int?
    @Option(help: "A header that replaces the stored one or is added: 'name: value'.") var header: [String] = []
    @Option(help: "A stored header to omit.") var without: [String] = []
    @Option(help: ArgumentHelp("The environment variable with the token of Authorization.", valueName: "name"))
    var bearerEnv: String?
    @Option(
        help: ArgumentHelp("A file with cookies: cookies.txt, or the file of a CookieStore.", valueName: "file"),
        completion: .file())
    var cookieJar: String?
    @Option(help: "A value for a query item: 'name=value'.") var query: [String] = []
    @Option(help: "A file with a body that replaces the stored one.", completion: .file()) var body: String?
    @Option(help: "Another server to send to, credentials included.") var base: String?
    @Flag(help: "Send the stored Idempotency-Key, not a new one.") var sameKey = false
    @Flag(help: "Don't ask before sending methods that may change something.") var yes = false
    @Option(help: "How many times to send it, one after another.") var times = 1
    @Option(help: "The limit for each call: 500ms, 10s. Default: 10s to connect, 30s without a byte.") var timeout: Age?
    @Flag(help: "Record the replays in the file, with the tag replay.") var record = false
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        try EntryWords.check(words, of: "replay")
        guard (1...1000).contains(times) else { throw ValidationError("--times must be from 1 to 1000, not \(times).") }
        if let timeout, timeout.duration <= .zero { throw ValidationError("--timeout must be positive.") }
    }

    func run() async throws {
        let (file, name) = try EntryWords.split(words, store)
        let (detail, _) = try await StoreArguments.read(file) { reader in
            try await reader.find(name, preferring: .call)
        }
        let fillings = try await fillings()
        let entry = ReportEntry(detail)
        let now = NetClock.system.date()
        guard let plan = ReplayPlan(entry, attempt: attempt, fillings: fillings, now: now) else {
            throw failure(entry, fillings, now: now)
        }
        if let refusal = plan.refusal { throw refusal }
        if plan.isUnsafe, !yes { try ReplayQuestion(plan: plan, times: times).ask() }
        let comparisons = try await send(plan, fillings, entry, file)
        let outcome = ReplayOutcome(plan: plan, id: entry.item.uid, base: fillings.base, comparisons: comparisons)
        if json {
            print(try ReplayLine(outcome).json())
        } else {
            store.page()
            ReplayText(outcome: outcome).show()
        }
        if outcome.different > 0 { throw ExitCode.nothing }
    }

    private func fillings() async throws -> ReplayFillings {
        var fillings = ReplayFillings()
        for text in header { try fillings.add(header: text) }
        for text in query { try fillings.add(query: text) }
        if let bearerEnv { try fillings.add(bearer: ProcessInfo.processInfo.environment[bearerEnv]) }
        if let base { try fillings.set(base: base) }
        if let cookieJar { fillings.cookies = try await CookieJarFile.read(cookieJar) }
        if let body {
            guard let data = FileManager.default.contents(atPath: body) else {
                throw Failure(code: .file, description: "the body \(Output.shellWord(body)) can't be read")
            }
            fillings.body = Bytes(data)
        }
        fillings.omitted = Set(without.map { $0.lowercased() })
        fillings.keepsKey = sameKey
        return fillings
    }

    private func failure(_ entry: ReportEntry, _ fillings: ReplayFillings, now: Date) -> Failure {
        let id = entry.item.shortID
        guard let attempt, ReplayPlan(entry, attempt: nil, fillings: fillings, now: now) != nil else {
            return Failure(description: "the entry \(id) isn't an HTTP request that can be repeated")
        }
        return Failure(description: "the entry \(id) has no attempt \(attempt); `net-activity show \(id)` lists them")
    }

    private func send(
        _ plan: ReplayPlan, _ fillings: ReplayFillings, _ entry: ReportEntry, _ file: String
    ) async throws -> [ExchangeComparison] {
        let recording = record ? try recordingStore(file) : nil
        let scrubber = SecretScrubber(plan.secrets)
        let sender = ReplaySender(
            plan, redaction: plan.redaction(fillings), timeout: timeout?.duration, store: recording)
        let old = scrubber.call(ComparedCall(entry, attempt: attempt))
        var comparisons: [ExchangeComparison] = []
        do {
            for _ in 0..<times {
                let new = scrubber.call(ComparedCall(try await sender.send()))
                comparisons.append(ExchangeComparison(old, new, hasRequests: false))
            }
            try await recording?.close()
        } catch {
            try? await recording?.close()
            guard let failure = error as? Failure else { throw error }
            throw Failure(code: failure.code, description: scrubber.text(failure.description))
        }
        return comparisons
    }

    private func recordingStore(_ file: String) throws -> ActivityStore {
        var configuration = ActivityStore.Configuration(capture: .bodies)
        configuration.retention = .none
        return try ActivityStore(path: file, configuration: configuration)
    }
}
#endif
