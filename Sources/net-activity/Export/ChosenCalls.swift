#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetStore

/// A call to export, with the exchanges of its transport.
struct ChosenCall {
    let detail: StoredDetail
    /// One redacted exchange for each attempt, without the digests of placeholders; responses from a cache aren't
    /// included.
    let exchanges: [(attempt: StoredAttempt, exchange: CapturedExchange)]

    var item: StoredItem { detail.item }
}

/// The calls chosen on the command line, oldest first.
struct ChosenCalls {
    /// The maximum number of calls, unless the command line sets another.
    static let defaultLimit = 100

    let calls: [ChosenCall]
    /// The reasons why some matching calls are missing: they weren't captured completely, and an incomplete recording
    /// would be misleading.
    let skipped: [String]

    /// Reads the calls.
    ///
    /// Throws if there are no calls or more than `limit`, or if a call named by its ID wasn't captured completely.
    ///
    /// - Parameter words: IDs, or a filter.
    init(_ words: [String], in reader: ActivityReader, limit: Int) async throws {
        var items: [StoredItem] = []
        let areNamed = !words.isEmpty && words.allSatisfy(EntryName.isID)
        if areNamed {
            for id in words { items.append(try await reader.find(id, preferring: .call).0.item) }
        } else {
            let others: ActivityFilter = .webSocket | .job | .log
            let filter = try ActivityFilter(words: words) & !others
            items = try await reader.items(matching: filter, limit: limit + 1).reversed()
            guard items.count <= limit else {
                throw Failure(
                    code: .usage,
                    description: "more than \(limit) calls match; narrow the filter, or raise --limit")
            }
        }
        let imported = Set(try await reader.runs(limit: .max).filter { $0.processID == 0 }.map(\.id))
        var (calls, skipped): ([ChosenCall], [String]) = ([], [])
        for item in items {
            do {
                if imported.contains(item.run) { try Self.checkImported(item) }
                calls.append(try await Self.call(item, in: reader))
            } catch let error as Failure where !areNamed && error.code == .nothing {
                skipped.append(error.description)
            }
        }
        guard !calls.isEmpty else { throw Failure(description: skipped.first ?? "no call was found") }
        (self.calls, self.skipped) = (calls, skipped)
    }

    private static func call(_ item: StoredItem, in reader: ActivityReader) async throws -> ChosenCall {
        guard item.kind == .call, let detail = try await reader.item(uid: item.uid, kind: .call) else {
            throw Failure(code: .usage, description: "\(item.shortID) isn't a call, or was just deleted")
        }
        let socket = try await reader.item(uid: item.uid, kind: .socket)?.item
        let messages = socket == nil ? [] : try await reader.allMessages(of: item.uid)
        guard !detail.attempts.isEmpty else {
            throw Failure(
                description: "\(item.shortID) sent nothing: "
                    + (item.cache == nil ? "it ended before its first attempt" : "it was served by a cache"))
        }
        // The exchanges of the attempts come first.
        let exchanges = detail.capturedExchanges(messages: messages, socket: socket)
        let captured = Set(detail.exchanges.map(\.number))
        let policy = RedactionPolicy.safeDefault
        var chosen: [(attempt: StoredAttempt, exchange: CapturedExchange)] = []
        for (attempt, exchange) in zip(detail.attempts, exchanges) {
            guard captured.contains(attempt.number) else { throw missing(item, "attempt \(attempt.number)") }
            try check(exchange, of: attempt, item)
            chosen.append((attempt, policy.withPlainMarks(policy.redact(exchange))))
        }
        return ChosenCall(detail: detail, exchanges: chosen)
    }

    private static func check(_ exchange: CapturedExchange, of attempt: StoredAttempt, _ item: StoredItem) throws {
        if exchange.request.body.isCut { throw missing(item, "the whole body of the request") }
        if let response = exchange.response, response.body.isCut, response.body.failure == nil {
            throw missing(item, "the whole body of the response")
        }
    }

    /// Refuses a response that a browser took from its cache, or had confirmed by the server.
    private static func checkImported(_ item: StoredItem) throws {
        guard item.status == 304 || item.status == 0 else { return }
        throw Failure(
            description:
                "the response of \(item.shortID) was in a browser's cache (status \(item.status ?? 0)); record it "
                + "with the cache turned off")
    }

    private static func missing(_ item: StoredItem, _ what: String) -> Failure {
        Failure(
            description:
                "\(what) of \(item.shortID) wasn't captured, so it can't be replayed; let the store capture: "
                + "configuration.capture = .bodies, with larger limits if necessary")
    }
}
#endif
