internal import LoadDriver
internal import NetStore

/// The cost of opening and querying a large store.
enum Asking {
    struct Figures: Encodable {
        /// Milliseconds of the process's CPU time, and of the clock: the median of the rounds.
        var questions: [String: Double] = [:]
        var clock: [String: Double] = [:]
        /// The growth of the process in bytes after each query has run once.
        var growth = 0
    }

    /// Some conditions match nothing, so that every entry has to be examined; others match many entries.
    static let single = [
        "~all", "~d api1", "~d nowhere", "~d example", "~op operation7", "~op nothing", "~c 503", "~c 404", "~c 200",
        "~c 301",
        "~c 5xx", "~c 200-599", "~m POST", "~m PATCH", "~e", "~slower 900ms", "~slower 1h", "~slower 1ms",
        "~faster 1ms",
        "~larger 1KB", "~larger 1MB", "~since 1h", "~since 23h", "~until 2020-01-01", "~error connection",
        "~error nothing",
        "~cache hit", "~retried", "~reused", "!~reused", "~run 99", "~marked", "~comment x", "~websocket", "~job",
        "~log",
        "~tag x", "~t json", "~q", "~s", "!~all", "!~s", "!~d example",
    ]
    /// Conditions that match at most 5% of the calls.
    static let rare = ["~op operation7", "~c 503", "~e", "~slower 500ms", "~since 1h"]
    static let others = [
        "~d nowhere", "~d api1", "~c 301", "~m PATCH", "~m POST", "~faster 1ms", "~larger 1MB", "~until 2020-01-01",
        "~cache hit",
        "~retried", "!~reused", "~run 99", "~marked", "~websocket", "~tag x", "~t json", "~u nothing", "nothing",
        "~error nothing", "~slower 900ms", "~op operation8",
    ]
    /// Conditions that may have to examine every entry: these are streamed.
    static let streamed = [
        "~u nothing", "nothing", "~u *orders/99*", "~d api1 ~m PATCH", "~d api1 ~u nothing", "~reused ~faster 1ms",
        "~larger 1KB ~t json", "~h x", "~b x",
    ]
    static let words = [
        "customers orders", "nothing", "cust", "1000001", "connection closed", "api1 nothing", "sort created 1000777",
    ]

    static func run(_ file: String, rounds: Int) async throws -> Figures {
        var figures = Figures()
        var store: ActivityStore?
        try await time("open store", rounds, &figures) {
            store = try ActivityStore(path: file, configuration: .init(retention: .none))
        } after: {
            try await store?.close()
        }
        var opened: ActivityReader?
        try await time("open reader", rounds, &figures) {
            opened = try ActivityReader(path: file)
        } after: {
            await opened?.close()
        }
        let reader = try ActivityReader(path: file)
        _ = try await reader.items(limit: 50)
        let memory = ProcessUsage.residentBytes
        try await ask(reader, rounds, &figures)
        figures.growth = ProcessUsage.residentBytes - memory
        await reader.close()
        return figures
    }

    private static func ask(_ reader: ActivityReader, _ rounds: Int, _ figures: inout Figures) async throws {
        for words in words {
            try await time("words \(words)", rounds, &figures) { _ = try await reader.search(words: words, limit: 50) }
        }
        for (name, grouping) in [
            ("operation", .operation), ("host", .host), ("hour", .hour), ("run", .run), ("all", .all),
        ]
            as [(String, StoredStatistics.Grouping)]
        {
            try await time("stats \(name)", rounds, &figures) { _ = try await reader.statistics(by: grouping) }
        }
        try await time("list before", rounds, &figures) { _ = try await reader.items(limit: 500, before: 100_000) }
        for words in single { try await list(words, "list", reader, rounds, &figures) }
        for one in rare {
            for other in others where one != other {
                try await list("\(one) \(other)", "pair", reader, rounds, &figures)
            }
        }
        for words in streamed {
            let filter = try ActivityFilter(words)
            try await time("pass \(words)", rounds, &figures) { for try await _ in reader.matches(filter) {} }
        }
    }

    private static func list(
        _ words: String, _ kind: String, _ reader: ActivityReader, _ rounds: Int, _ figures: inout Figures
    ) async throws {
        let filter = try ActivityFilter(words)
        try await time("\(kind) \(words)", rounds, &figures) { _ = try await reader.items(matching: filter, limit: 50) }
    }

    private static func time(
        _ name: String, _ rounds: Int, _ figures: inout Figures, _ body: () async throws -> Void,
        after: () async throws -> Void = {}
    ) async throws {
        var times: [(cpu: Double, clock: Double)] = []
        for _ in 0..<max(1, rounds) {
            let (cpu, clock) = (ProcessUsage.cpuMicroseconds, ProcessUsage.monotonicNanoseconds)
            try await body()
            times.append(
                ((ProcessUsage.cpuMicroseconds - cpu) / 1e3, Double(ProcessUsage.monotonicNanoseconds - clock) / 1e6))
            try await after()
        }
        figures.questions[name] = times.map(\.cpu).sorted()[times.count / 2]
        figures.clock[name] = times.map(\.clock).sorted()[times.count / 2]
    }
}
