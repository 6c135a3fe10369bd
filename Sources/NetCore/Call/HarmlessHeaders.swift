package import HTTPTypes

/// The request headers that don't identify a user, so that a middleware may add them to a request whose response is
/// stored or shared.
package enum HarmlessHeaders {
    /// The names in lowercase, as docs/caching.md lists them.
    package static let names: Set<String> = [
        // The accepted types, and the transfer of the message (RFC 9110, RFC 9112).
        "accept", "accept-charset", "accept-encoding", "accept-language", "connection", "content-encoding",
        "content-language", "content-length", "content-type", "date", "expect", "host", "keep-alive", "te", "trailer",
        "transfer-encoding", "upgrade", "user-agent", "via",
        // Conditions, ranges and caches (RFC 9110, RFC 9111).
        "cache-control", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "pragma",
        "range",
        // The source of a request, and its urgency (Fetch, RFC 9218, RFC 8470).
        "dnt", "early-data", "origin", "priority", "referer", "save-data", "sec-fetch-dest", "sec-fetch-mode",
        "sec-fetch-site", "sec-gpc", "upgrade-insecure-requests",
        // Digests of bodies, and the parameters of signatures whose values are accounted for (RFC 9530, RFC 9421).
        "content-digest", "content-md5", "digest", "repr-digest", "signature-input", "want-content-digest",
        "want-digest", "want-repr-digest", "x-amz-content-sha256", "x-amz-date",
        // Keys that are different for each call.
        "idempotency-key", "x-correlation-id", "x-request-id",
        // Traces (W3C, B3, AWS, Google, Jaeger).
        "b3", "baggage", "traceparent", "tracestate", "uber-trace-id", "x-amzn-trace-id", "x-b3-flags",
        "x-b3-parentspanid", "x-b3-sampled", "x-b3-spanid", "x-b3-traceid", "x-cloud-trace-context",
    ]

    package static func contains(_ name: HTTPField.Name) -> Bool { names.contains(name.canonicalName) }
}
