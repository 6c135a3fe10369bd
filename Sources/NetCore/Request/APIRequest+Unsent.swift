extension APIRequest {
    /// Returns the path and the query as written, or the whole URL, redacted.
    func target(_ redaction: RedactionPolicy?) -> String {
        var target = options.absoluteURL ?? path.encoded
        let items = query.encodedQuery
        if !items.isEmpty { target += (target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + items }
        return (options.redaction ?? redaction ?? .safeDefault).redact(url: target)
    }

    /// Returns the summary of a request that has no call, as written. The call's ID is all zeros.
    package func unsent(_ redaction: RedactionPolicy? = nil) -> CallSummary {
        CallSummary(
            id: CallID(high: 0, low: 0), method: method, url: target(redaction),
            operation: options.metadata.operationName)
    }
}

extension PreparedRequest {
    /// Returns the summary of a request that has no call. The call's ID is all zeros.
    package func unsent(_ redaction: RedactionPolicy) -> CallSummary {
        CallSummary(
            id: CallID(high: 0, low: 0), method: head.method, url: (options.redaction ?? redaction).redact(url: url),
            operation: options.metadata.operationName)
    }
}
