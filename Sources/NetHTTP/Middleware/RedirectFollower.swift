internal import HTTPTypes
internal import NetCore

/// Goes where redirects lead: the outermost part of the chain, so that every hop passes all middleware.
///
/// A response that is no redirect never comes here.
struct RedirectFollower: Sendable {
    let policy: RedirectPolicy

    /// How much of a redirect's body is read so that its connection can be used again.
    private static let drainLimit = 64 << 10

    func follow(
        _ response: StreamedResponse, to request: PreparedRequest, _ context: CallContext, _ next: Next
    ) async throws(NetError) -> StreamedResponse {
        var (response, request, context) = (response, request, context)
        let redaction = request.options.redaction ?? context.environment.redaction
        while true {
            let decision = RedirectDecision.decide(
                on: response.head, to: request, history: response.history, policy: policy, redaction: redaction)
            switch decision {
            case .stop:
                return response
            case .fail(let error):
                response.body.cancel()
                throw error.filling(call: context.summary, elapsed: context.elapsed)
            case .follow(let target, let fragment):
                await drain(response)
                let hop = Redirect(status: response.head.status.code, url: redaction.redact(url: request.url))
                context.trail = RedirectTrail(
                    history: response.history + [hop], head: target.head, fragment: fragment ?? context.trail?.fragment)
                request = target
                response = try await next(request, context)
                response.trail = context.trail
            }
        }
    }

    private func drain(_ response: StreamedResponse) async {
        if let length = response.head[.contentLength].flatMap({ Int($0) }), length > Self.drainLimit {
            response.body.cancel()
        } else {
            _ = await response.body.prefix(upTo: Self.drainLimit)
        }
    }
}
