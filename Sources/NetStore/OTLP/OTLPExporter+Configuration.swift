public import HTTPTypes
public import NetCore

extension OTLPExporter {
    /// What is sent.
    public enum Signal: Sendable, Hashable, CaseIterable {
        /// Calls, WebSockets and jobs, as spans.
        case traces
        /// Lines of logs, as log records.
        case logs
    }

    /// The settings of an exporter.
    ///
    /// Its description doesn't contain the headers, which may be credentials.
    public struct Configuration: Sendable {
        /// The base URL of the collector, to which `/v1/traces` or `/v1/logs` is appended: `http://localhost:4318`. Credentials
        /// and a query aren't allowed in it.
        public var endpoint: String
        /// Header fields of each request, such as `Authorization`. Never stored or printed. Default none.
        public var headers: HTTPFields
        /// What is sent. Default ``Signal/traces``.
        public var signal: Signal
        /// The name under which the store remembers what has been sent; each collector has its own. For ``Signal/logs``,
        /// `.logs` is appended. nil sends what the store has and remembers nothing. Default `otlp`.
        public var cursor: String?
        /// Whether the first ``OTLPExporter/export()`` or ``OTLPExporter/run()`` moves the cursor to the oldest entry. Default
        /// false.
        public var startsOver: Bool
        /// The entries that are sent; others are skipped. Default ``ActivityFilter/all``.
        public var filter: ActivityFilter
        /// Attributes of the resource that are added to those of the run, or replace them: `service.name`. Default none.
        public var resource: [String: String]
        /// The most spans or log records in a request, and the most entries; a single call may have more spans. Default 512.
        public var maximumBatch: Int
        /// The most bytes of a request before compression; a single entry may be longer. Default 4 MiB.
        public var maximumBytes: Int
        /// Whether requests are compressed with gzip. Default true.
        public var isCompressed: Bool
        /// The time for one request. Default 10 seconds.
        public var timeout: Duration
        /// The pause of ``OTLPExporter/run()`` after it has reached the end, so that entries that come one by one are sent
        /// together. Default 1 second.
        public var interval: Duration
        /// The pauses before a request is sent again, unless the collector names one. Default 1 second, doubled up to 30
        /// seconds, with full jitter.
        public var backoff: Backoff
        /// The longest pause that a collector may ask for with `Retry-After`. Default 10 minutes.
        public var maximumRetryAfter: Duration
        /// The most bytes of a response that are read. Default 256 KiB.
        public var maximumResponseBytes: Int
        /// The clock that pauses are measured with. Default the system's.
        public var clock: NetClock
        /// The source of jitter. Default the system's.
        public var random: NetRandom

        /// Creates settings; those without a parameter have their defaults.
        ///
        /// - Parameters:
        ///   - endpoint: The base URL of the collector.
        ///   - headers: Header fields of each request. Default none.
        ///   - signal: What is sent. Default spans.
        ///   - cursor: The name of the cursor. Default `otlp`.
        public init(
            endpoint: String, headers: HTTPFields = [:], signal: Signal = .traces, cursor: String? = "otlp"
        ) {
            self.endpoint = endpoint
            self.headers = headers
            self.signal = signal
            self.cursor = cursor
            startsOver = false
            filter = .all
            resource = [:]
            maximumBatch = 512
            maximumBytes = 4 << 20
            isCompressed = true
            timeout = .seconds(10)
            interval = .seconds(1)
            backoff = Backoff(base: .seconds(1), cap: .seconds(30))
            maximumRetryAfter = .seconds(600)
            maximumResponseBytes = 256 << 10
            clock = .system
            random = .system
        }
    }
}

extension OTLPExporter.Configuration: CustomStringConvertible, CustomReflectable {
    public var description: String {
        let isSafe = (try? OTLPEndpoint(self)) != nil
        let parts = [
            isSafe ? endpoint : "an endpoint that isn't allowed", "\(signal)", "cursor \(cursor ?? "none")",
            "\(headers.count) headers",
        ]
        return "OTLPExporter.Configuration(\(parts.joined(separator: ", ")))"
    }

    /// No headers, since they may be credentials.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension OTLPExporter.Signal {
    /// What follows the endpoint.
    var path: String { self == .traces ? "/v1/traces" : "/v1/logs" }

    /// The member of a partial success that counts.
    var rejectedCount: String { self == .traces ? "rejectedSpans" : "rejectedLogRecords" }

    /// The kinds of entries, as the rest of a condition in SQL.
    var kinds: String { self == .traces ? "IN (1, 2, 3)" : "= 4" }

    func contains(_ kind: Int?) -> Bool {
        guard let kind = kind.flatMap(StoredItem.Kind.init(rawValue:)) else { return false }
        return (kind == .log) == (self == .logs)
    }
}

/// The URL that requests are sent to.
struct OTLPEndpoint: Sendable {
    let url: String

    /// Checks the settings.
    init(_ configuration: OTLPExporter.Configuration) throws(OTLPError) {
        let reference = URLReference(configuration.endpoint)
        let authority = Authority(reference.authority ?? "")
        guard let scheme = reference.scheme?.lowercased(), ["http", "https"].contains(scheme), !authority.host.isEmpty
        else { throw Self.invalid("the endpoint isn't an http or https URL, such as http://localhost:4318") }
        guard authority.userInformation == nil, reference.query == nil, reference.fragment == nil else {
            throw Self.invalid("the endpoint must contain neither credentials nor a query; pass credentials as headers")
        }
        let limits = [configuration.maximumBatch, configuration.maximumBytes, configuration.maximumResponseBytes]
        guard limits.allSatisfy({ $0 > 0 }) else { throw Self.invalid("the limits of a batch must be positive") }
        guard configuration.cursor != "" else { throw Self.invalid("the name of the cursor is empty") }
        var base = configuration.endpoint[...]
        while base.hasSuffix("/") { base = base.dropLast() }
        url = base + configuration.signal.path
    }

    private static func invalid(_ message: String) -> OTLPError { OTLPError(.invalidConfiguration, message: message) }
}
