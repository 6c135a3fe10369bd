public import HTTPTypes

/// The answer that a declared failure was read from: status and fields, the body as it came, and which call it was.
///
/// It has the members of its head.
///
///     do {
///         _ = try await client.send(Request<[String: Int]>("stock").rejected(as: [String: String].self))
///     } catch {
///         if case .rejected(let problem, let answer) = error {
///             print(answer.status.code, answer[.retryAfter] ?? "", answer.call?.url ?? "", problem)
///         }
///     }
@dynamicMemberLookup
public struct RejectedResponse: Sendable {
    /// Status and fields.
    public let head: ResponseHead
    /// The body, as much of it as was kept. It may hold secrets: nothing in this library prints it.
    public let body: Bytes
    /// Which request, with its redacted URL and attempt; nil where nobody knows, as in an error that a test makes.
    public let call: CallSummary?
    /// How long the call had run, retries included; nil where nobody knows.
    public let elapsed: Duration?
    /// What else is known of why the call ended with this response, such as a retry that its deadline forbade; nil for nothing.
    public let note: String?

    /// How much is kept of an answer that is streamed, or whose body is dropped and no failure declared.
    package static let streamedBytes = 64 << 10
    /// How much is kept where a failure is declared, and the body of every other answer dropped.
    package static let discardedBytes = 1 << 20

    /// Puts the parts together.
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

    /// The value of a field, several values joined by `, `; nil when it is absent.
    public subscript(name: HTTPField.Name) -> String? { head[name] }

    /// The body as text: in the charset that `Content-Type` names, else UTF-8. Nil where it is neither. A character that is
    /// cut off at the end is left out.
    public var text: String? { Charset.text(of: body, head) }
}

extension RejectedResponse: CustomStringConvertible, CustomReflectable {
    /// The status and which request it was; fields and body may hold secrets.
    public var description: String {
        let text = "rejected with status \(head.status.code)" + (note.map { "; \($0)" } ?? "")
        guard let call else { return text }
        return "\(text) (\(call.method.rawValue) \(call.url), attempt \(call.attempt))"
    }

    public var customMirror: Mirror { Mirror(self, children: ["status": head.status.code, "bodyBytes": body.count]) }
}
