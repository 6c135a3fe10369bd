public import HTTPTypes

/// The response that a declared failure was read from: its status and headers, the received body, and the call.
///
/// The members of its head are available directly.
///
///     do {
///         try await client.send(Request<[String: Int]>("stock").rejected(as: [String: String].self))
///     } catch {
///         if case .rejected(let problem, let answer) = error {
///             print(answer.status.code, answer[.retryAfter] ?? "", answer.call?.url ?? "", problem)
///         }
///     }
@dynamicMemberLookup
public struct RejectedResponse: Sendable {
    /// The status and headers.
    public let head: ResponseHead
    /// The kept part of the body. It may contain secrets: nothing in this library prints it.
    public let body: Bytes
    /// The request, with its redacted URL and attempt; nil if unknown, as in an error created by a test.
    public let call: CallSummary?
    /// The time since the call started, retries included; nil if unknown.
    public let elapsed: Duration?
    /// Additional information about why the call ended with this response, such as a retry that its deadline didn't
    /// allow; nil if there is none.
    public let note: String?

    /// The number of bytes kept of a streamed response, or of a discarded body if no failure is declared.
    package static let streamedBytes = 64 << 10
    /// The number of bytes kept if a failure is declared and the bodies of all other responses are discarded.
    package static let discardedBytes = 1 << 20

    /// Creates a response.
    public init(
        head: ResponseHead, body: Bytes = Bytes(), call: CallSummary? = nil, elapsed: Duration? = nil,
        note: String? = nil
    ) {
        self.head = head
        self.body = body
        self.call = call
        self.elapsed = elapsed
        self.note = note
    }

    /// A member of the head.
    public subscript<Member>(dynamicMember path: KeyPath<ResponseHead, Member>) -> Member { head[keyPath: path] }

    /// The value of a header, multiple values joined by `, `; nil if it's absent.
    public subscript(name: HTTPField.Name) -> String? { head[name] }

    /// The body as text, in the charset that `Content-Type` names, or else in UTF-8; nil if it's valid in neither. An
    /// incomplete character at the end is omitted.
    public var text: String? { Charset.text(of: body, head) }
}

extension RejectedResponse: CustomStringConvertible, CustomReflectable {
    /// The status, the title and detail of a problem (RFC 9457), and the request with its operation and elapsed time.
    /// Omits headers and the rest of the body, which may contain secrets.
    public var description: String {
        var text = "rejected with status \(head.status.code)"
        if let problem = ProblemDetails.clause(head, body) { text += ": \(problem)" }
        if let note { text += "; \(note)" }
        guard let call else { return text }
        text += " (\(call)"
        if let elapsed { text += ", after \(elapsed.seconds(places: 3)) s" }
        return text + ")"
    }

    public var customMirror: Mirror { Mirror(self, children: ["status": head.status.code, "bodyBytes": body.count]) }
}
