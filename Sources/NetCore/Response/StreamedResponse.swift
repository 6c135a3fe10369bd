public import HTTPTypes

/// A response whose body may still be arriving, as returned by transports, middleware and `stream`.
public struct StreamedResponse: Sendable {
    /// The status and the headers.
    public var head: ResponseHead
    /// The body, complete or arriving.
    public var body: ResponseBody
    /// The redirects that were followed; nil if there were none.
    package var trail: RedirectTrail?
    /// The headers that were just received, if the others were stored before; nil if all were just received.
    package var news: HTTPFields?
    /// The part of the request that the call's identity didn't cover, such as another user's credentials; the response
    /// must not be given to other calls. Nil if the identity covers everything.
    package var difference: IdentityDifference?
    /// More information for an error about the response; nil for none.
    package var remark: ResponseRemark?
    /// The WebSocket that a response 101 has opened; nil for every other response.
    package var link: (any WebSocketLink)?

    /// The secrets of the call, for those who keep a part of the response; nil if there are none.
    package var secrets: CallSecrets?

    /// Creates a response from a head and a body.
    public init(head: ResponseHead, body: ResponseBody = ResponseBody()) {
        self.head = head
        self.body = body
    }

    /// The redirects that were followed, in order.
    public var history: [Redirect] { trail?.history ?? [] }

    /// The status of the response.
    public var status: HTTPResponse.Status { head.status }

    /// The headers, in order.
    public var headers: HTTPFields { head.headers }

    /// The value of a header; several values are joined by `, `. Nil if it's absent.
    public subscript(name: HTTPField.Name) -> String? { head[name] }
}

extension StreamedResponse {
    /// Ends a response that isn't needed: reads up to 64 KiB, so that its connection can be reused, and cancels the
    /// transfer of a longer body.
    package func discardBody() async {
        let limit = 64 << 10
        if let length = head[.contentLength].flatMap({ Int($0) }), length > limit {
            body.cancel()
        } else {
            _ = await body.prefix(upTo: limit)
        }
    }
}

extension StreamedResponse: CustomStringConvertible, CustomReflectable {
    /// Only the status line, since headers and body may contain secrets.
    public var description: String { head.description }

    public var customMirror: Mirror { Mirror(self, children: ["head": head, "history": history]) }
}
