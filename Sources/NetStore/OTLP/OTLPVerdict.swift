internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The meaning of a response for a batch.
///
/// | response | verdict |
/// |---|---|
/// | 2xx with an empty body, protocol buffers or a JSON object | accepted, except for the rejections of a partial
/// success |
/// | 2xx with anything else | unreadable, probably not a collector; retried |
/// | 429, 502, 503, 504 | retried, after `Retry-After` if present |
/// | 413 | retried in smaller batches; a single entry is rejected |
/// | 500 and other 5xx | retried a few times, since the batch isn't known to be wrong; then the export ends |
/// | 3xx, and statuses that don't depend on the content: 401, 403, 404, 405 … | the export ends |
/// | others, including 400 | rejected, since the specification forbids a retry |
enum OTLPVerdict: Hashable {
    case accepted(rejected: Int, message: String?)
    case retry(after: Duration?)
    case unreadable
    /// The collector has failed without indicating that the failure is temporary.
    case failed
    case tooLarge
    case rejected
    case refused

    /// Statuses about the endpoint or the credentials: every other batch would get the same status.
    private static let refusals: Set<Int> = [
        401, 402, 403, 404, 405, 406, 407, 410, 411, 415, 421, 426, 431, 451, 501, 505, 511,
    ]

    /// - Parameters:
    ///   - count: The number of spans or records in the request.
    ///   - rejectedCount: The member that contains the number of rejected elements.
    init(_ response: ResponseHead, _ body: Bytes, count: Int, rejectedCount: String, now: Date) {
        let status = response.status.code
        switch status {
        case 200..<300: self = Self.accepted(response, body, count, rejectedCount)
        case 429, 502, 503, 504:
            let delay = response.headers[.retryAfter].flatMap { HTTPDate.delay(retryAfter: $0, now: now) }
            self = .retry(after: delay)
        case 413: self = .tooLarge
        case 300..<400: self = .refused
        case _ where Self.refusals.contains(status): self = .refused
        case 500...: self = .failed
        default: self = .rejected
        }
    }

    private static func accepted(
        _ response: ResponseHead, _ body: Bytes, _ count: Int, _ rejectedCount: String
    ) -> OTLPVerdict {
        if body.isEmpty { return .accepted(rejected: 0, message: nil) }
        // Not the requested format, but only an OTLP collector sends it.
        let type = response.headers[.contentType]?.lowercased() ?? ""
        if type.hasPrefix("application/x-protobuf") { return .accepted(rejected: 0, message: nil) }
        guard let answer = try? JSONCoding.standard.decode(JSONValue.self, from: body), answer.objectValue != nil else {
            return .unreadable
        }
        let part = answer["partialSuccess"]
        let value = part?[rejectedCount]
        let number = value?.intValue ?? value?.stringValue.flatMap { Int($0) } ?? 0
        let message = part?["errorMessage"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        return .accepted(rejected: min(max(0, number), count), message: message)
    }
}
