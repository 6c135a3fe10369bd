internal import HTTPTypes
internal import Logging
internal import NetCore

/// The text logged when a request is sent and when its response's head arrives. It doesn't repeat the metadata.
struct RequestLines: Sendable {
    let prepared: PreparedRequest
    let redaction: RedactionPolicy
    private let summary: CallSummary
    private let url: String

    init(_ request: PreparedRequest, _ context: CallContext) {
        prepared = request
        redaction = context.redaction(of: request)
        summary = context.summary
        url = redaction.redact(url: request.url)
    }

    func request(headers: Bool) -> String { "→ request" + (headers ? text(prepared.head.headerFields) : "") }

    func head(of response: StreamedResponse) -> String { "⇠ head" + text(response.head.headers) }

    var curl: String {
        prepared.curl(.compact, redaction: redaction, maximumBytes: LoggingMiddleware.maximumTextBytes)
    }

    /// The metadata of a line whose text contains the whole request.
    var callMetadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "call": .stringConvertible(summary.id), "attempt": .stringConvertible(summary.attempt),
        ]
        if let operation = summary.operation { metadata["operation"] = .string(operation.onOneLine) }
        metadata.add(tags: prepared.options.metadata.tags)
        return metadata
    }

    func metadata(status: Int? = nil) -> Logger.Metadata {
        var metadata = callMetadata
        metadata["method"] = .string(prepared.head.method.rawValue)
        metadata["url"] = .string(url.onOneLine)
        if let status { metadata["status"] = .stringConvertible(status) }
        return metadata
    }

    private func text(_ headers: HTTPFields) -> String {
        let text = redaction.redact(headers).map { "\($0.name.rawName): \($0.value)" }.joined(separator: "; ")
        let shown = text.prefix(upToBytes: LoggingMiddleware.maximumTextBytes)
        let missing = text.utf8.count - shown.utf8.count
        return missing == 0 ? " [\(text)]" : " [\(shown) … \(missing) more bytes of headers]"
    }
}

extension Logger.Metadata {
    /// Adds the tags of a request, if it has any.
    mutating func add(tags: [String]) {
        if !tags.isEmpty { self["tags"] = .array(tags.map { .string($0) }) }
    }
}
