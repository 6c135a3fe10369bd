internal import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension NetError {
    /// All available details on several lines, for a log or a bug report: the description, the kind of the cause, and
    /// the response with its headers and body, redacted by ``RedactionPolicy/safeDefault``.
    ///
    ///     let head = ResponseHead(status: .notFound, headers: [.setCookie: "id=1"])
    ///     let response = NetError.FailedResponse(head: head, body: Bytes(#"{"token":"t","a":1}"#.utf8))
    ///     let error = NetError(.unacceptableStatus, phase: .validating, message: "no", response: response)
    ///     print(error.debugSummary)
    public var debugSummary: String { debugSummary(redaction: .safeDefault) }

    /// Returns the same summary, redacted by a custom policy. If the body isn't JSON, only its size and type are
    /// included, because its secrets can't be located.
    public func debugSummary(redaction policy: RedactionPolicy) -> String {
        let policy = call?.redaction(policy) ?? policy
        var lines = [description]
        if let underlying { lines.append("cause: \(type(of: underlying))") }
        guard let response else { return lines.joined(separator: "\n") }
        lines.append("\(response.head)")
        for field in policy.redact(response.headers) { lines.append("\(field.name.rawName): \(field.value)") }
        if let json = response.json?.redacted(by: policy).pretty {
            lines += ["", json]
        } else if !response.body.isEmpty {
            lines += ["", "\(response.body.count) bytes of \(response.head[.contentType] ?? "no type")"]
        }
        return lines.joined(separator: "\n")
    }
}

extension NetError: LocalizedError {
    /// The description: the failure, its phase and its request.
    public var errorDescription: String? { description }
    /// The message without the context.
    public var failureReason: String? { message }
}

extension APIError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
