#if Tools
internal import NetCore
internal import NetStore

/// The parts of a call that are compared with those of another call.
struct ComparedCall {
    /// The captured part of a body.
    struct Body {
        var bytes = Bytes()
        var size: Int64?
        var isCut = false
        /// True if nothing of the body was captured.
        var isMissing: Bool { isCut && bytes.isEmpty }
    }

    var method, url: String
    /// The status of the response; nil if there was none.
    var status: Int?
    /// The code of the failure; nil if there was none.
    var failure: String?
    /// The decision of the cache; nil if there was none.
    var cache: String?
    /// The number of attempts; 1 if a single attempt is compared.
    var attempts: Int
    var version: String?
    var duration: Duration?
    var phases = TransferPhases()
    /// Nil if they weren't captured.
    var requestHeaders, responseHeaders, trailers: [StoredExchange.Field]?
    /// Nil if nothing is known about the body.
    var requestBody, responseBody: Body?

    /// Creates the parts of a call.
    ///
    /// - Parameters:
    ///   - entry: The call.
    ///   - number: The attempt to compare; nil for the whole call, which has the response of its last attempt.
    init(_ entry: ReportEntry, attempt number: Int? = nil) {
        let item = entry.item
        let attempt = number.map { wanted in entry.attempts.first { $0.number == wanted } } ?? entry.attempts.last
        method = (number == nil ? item.method : attempt?.method) ?? item.method ?? "GET"
        url = HiddenMark.normalized((number == nil ? item.url : attempt?.url) ?? item.url ?? "")
        failure = number == nil ? item.failure?.code : attempt?.failure?.code
        cache = number == nil ? item.cache : nil
        attempts = number == nil ? item.attempts : 1
        version = attempt?.version ?? item.version
        duration = number == nil ? item.duration : attempt?.duration
        phases = attempt?.phases ?? TransferPhases()
        let exchange = entry.exchanges.last { $0.number == attempt?.number ?? 0 }
        status = exchange?.status ?? attempt?.status ?? item.status
        requestHeaders = Self.fields(exchange?.requestHeaders)
        responseHeaders = Self.fields(exchange?.responseHeaders)
        trailers = responseHeaders.map { _ in Self.normalized(exchange?.trailers ?? []) }
        requestBody = Self.body(
            exchange?.request, isCaptured: requestHeaders != nil, size: attempt?.requestBytes ?? item.requestBytes)
        responseBody = Self.body(
            exchange?.response, isCaptured: responseHeaders != nil, size: attempt?.responseBytes ?? item.responseBytes)
    }

    /// Returns nil for an empty list, which means that headers weren't captured: every message has some.
    private static func fields(_ fields: [StoredExchange.Field]?) -> [StoredExchange.Field]? {
        fields.flatMap { $0.isEmpty ? nil : normalized($0) }
    }

    private static func normalized(_ fields: [StoredExchange.Field]) -> [StoredExchange.Field] {
        fields.map { StoredExchange.Field(name: $0.name, value: HiddenMark.normalized($0.value)) }
    }

    /// Returns an empty body if headers were captured but no body.
    private static func body(_ body: StoredExchange.Body?, isCaptured: Bool, size: Int64?) -> Body? {
        if let body {
            return Body(bytes: HiddenMark.normalized(body.bytes), size: body.size ?? size, isCut: body.isCut)
        }
        if isCaptured { return Body(size: 0) }
        return size.map { Body(size: $0, isCut: $0 > 0) }
    }
}
#endif
