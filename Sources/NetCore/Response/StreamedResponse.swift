package import HTTPTypes

/// A response whose body may still be arriving: what transports return, middleware passes on and `stream` hands out.
public struct StreamedResponse: Sendable {
    /// Status and fields.
    public var head: ResponseHead
    /// The body, complete or arriving.
    public var body: ResponseBody
    /// Where redirects have led; nil where there were none.
    package var trail: RedirectTrail?
    /// The fields that came just now, where the others were stored before; nil where all of them came just now.
    package var news: HTTPFields?
    /// True if it was sent with credentials other than those that the call's identity knew of: nobody else may get it.
    package var isOfOtherIdentity = false
    /// What an error about it says beyond the status; nil for nothing.
    package var remark: ResponseRemark?

    /// Pairs a head with a body.
    public init(head: ResponseHead, body: ResponseBody = ResponseBody()) {
        self.head = head
        self.body = body
    }

    /// The redirects that were followed, in their order.
    public var history: [Redirect] { trail?.history ?? [] }
}

extension StreamedResponse: CustomStringConvertible, CustomReflectable {
    /// The status line; fields and body may hold secrets.
    public var description: String { head.description }

    public var customMirror: Mirror { Mirror(self, children: ["head": head, "history": history]) }
}
