public import HTTPTypes
public import NetCore

extension OTLPExporter {
    /// The kind of data to export.
    public enum Signal: Sendable, Hashable, CaseIterable {
        /// Calls, WebSockets and jobs, as spans.
        case traces
        /// Log lines, as log records.
        case logs
    }

    /// The settings of an exporter.
    ///
    /// The description omits the headers, which may contain credentials.
    public struct Configuration: Sendable {
        /// The base URL of the collector, to which `/v1/traces` or `/v1/logs` is appended: `http://localhost:4318`. It
        /// can't contain credentials or a query.
        public var endpoint: String
        /// Headers added to each request, such as `Authorization`. Never stored or printed. Default none.
        public var headers: HTTPFields
        /// The kind of data to send. Default ``Signal/traces``.
        public var signal: Signal
        /// The name under which the store remembers the last sent entry; each collector needs its own. For
        /// ``Signal/logs``, `.logs` is appended. If nil, the first export sends all stored entries, and the store
        /// remembers nothing. Default `otlp`.
        public var cursor: String?
        /// True if the first ``OTLPExporter/export()`` or ``OTLPExporter/run()`` moves the cursor back to the oldest
        /// entry. Default false.
        public var startsOver: Bool
        /// The filter for entries to send; other entries are skipped. Default ``ActivityFilter/all``.
        public var filter: ActivityFilter
        /// Resource attributes, such as `service.name`, that are added to those of the run or replace them. Default
        /// none.
        public var resource: [String: String]
        /// The maximum number of spans or log records, and of entries, in a request; a single call may have more spans.
        /// Default 512.
        public var maximumBatch: Int
        /// The maximum size of a request in bytes before compression; a single entry may be larger. Default 4 MiB.
        public var maximumBytes: Int
        /// True if requests are compressed with gzip. Default true.
        public var isCompressed: Bool
        /// The timeout of one request. Default 10 seconds.
        public var timeout: Duration
        /// The pause of ``OTLPExporter/run()`` after it has reached the end, so that entries that arrive one by one are
        /// sent together. Default 1 second.
        public var interval: Duration
        /// The pauses before retries, unless the collector requests one. Default 1 second, doubled up to 30 seconds,
        /// with full jitter.
        public var backoff: Backoff
        /// The maximum pause that a collector can request with `Retry-After`. Default 10 minutes.
        public var maximumRetryAfter: Duration
        /// The maximum number of bytes read of a response. Default 256 KiB.
        public var maximumResponseBytes: Int
        /// The clock for pauses. Default: the system clock.
        public var clock: NetClock
        /// The source of randomness for jitter. Default: the system's.
        public var random: NetRandom

        /// Creates a configuration; settings without a parameter have their defaults.
        ///
        /// - Parameters:
        ///   - endpoint: The base URL of the collector.
        ///   - headers: Headers added to each request. Default none.
        ///   - signal: The kind of data to send. Default ``Signal/traces``.
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

    /// Omits the headers, which may contain credentials.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension OTLPExporter.Signal {
    /// The path appended to the endpoint.
    var path: String { self == .traces ? "/v1/traces" : "/v1/logs" }

    /// The member of a partial success that contains the number of rejected elements.
    var rejectedCount: String { self == .traces ? "rejectedSpans" : "rejectedLogRecords" }

    /// The kinds of entries, as the right-hand side of an SQL condition.
    var kinds: String { self == .traces ? "IN (1, 2, 3)" : "= 4" }

    func contains(_ kind: Int?) -> Bool {
        guard let kind = kind.flatMap(StoredItem.Kind.init(rawValue:)) else { return false }
        return (kind == .log) == (self == .logs)
    }
}

/// The URL that requests are sent to.
struct OTLPEndpoint: Sendable {
    let url: String

    /// Validates the settings.
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
