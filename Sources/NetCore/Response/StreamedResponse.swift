/// A response whose body may still be arriving: what transports return, middleware passes on and `stream` hands out.
public struct StreamedResponse: Sendable {
    /// Status and fields.
    public var head: ResponseHead
    /// The body, complete or arriving.
    public var body: ResponseBody
    /// Where redirects have led; nil where there were none.
    package var trail: RedirectTrail?
    /// The cookies that came just now, where the rest was stored before; nil where everything came just now.
    package var cookies: [String]?

    /// Pairs a head with a body.
    public init(head: ResponseHead, body: ResponseBody = ResponseBody()) {
        self.head = head
        self.body = body
    }

    /// The redirects that were followed, in their order.
    public var history: [Redirect] { trail?.history ?? [] }
}
