internal import HTTPTypes
internal import NetCore

/// Follows redirects. It is the outermost part of the chain, so every hop passes through all middleware.
///
/// It is never called with a response that isn't a redirect.
struct RedirectFollower: Sendable {
    let policy: RedirectPolicy
    /// The client's decision about redirects; that of the request takes precedence.
    let onRedirect: (@Sendable (ProposedRedirect) -> RedirectChoice)?

    func follow(
        _ response: StreamedResponse, to request: PreparedRequest, _ context: CallContext, _ next: Next
    ) async throws(NetError) -> StreamedResponse {
        var (response, request, context) = (response, request, context)
        let redaction = context.redaction(of: request)
        var history: [Redirect] = []
        while true {
            // The request may have been changed to https.
            if let sent = response.trail?.head {
                (request.head.scheme, request.head.authority) = (sent.scheme, sent.authority)
            }
            var decision = RedirectDecision.decide(
                on: response.head, to: request, history: history, policy: policy, redaction: redaction,
                wantsHTTPS: { context.call.wantsHTTPS($0) })
            if case .follow(let target, let fragment) = decision,
                let judge = request.options.onRedirect ?? onRedirect
            {
                let proposal = ProposedRedirect(
                    head: response.head, original: request, request: target, history: history)
                decision = RedirectDecision.decide(
                    judge(proposal), about: proposal, fragment: fragment, policy: policy, redaction: redaction)
            }
            switch decision {
            case .stop:
                return response
            case .fail(let error):
                response.body.cancel()
                throw error.filling(call: context.summary, elapsed: context.elapsed)
            case .follow(let target, let fragment):
                await response.discardBody()
                let hop = Redirect(status: response.status.code, url: redaction.redact(url: request.url))
                history.append(hop)
                let trail = RedirectTrail(
                    history: history, head: target.head, fragment: fragment ?? context.trail?.fragment)
                (request, context.trail) = (target, trail)
                context.followRedirect()
                response = try await next(request, context)
                response.trail =
                    response.trail.map {
                        RedirectTrail(history: history, head: $0.head, fragment: trail.fragment)
                    } ?? trail
            }
        }
    }
}
