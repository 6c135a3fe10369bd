internal import HTTPTypes

extension NetError.Code {
    /// A redirect can't be followed: too many redirects, from https to http, to a scheme that isn't http or https, or
    /// with a body that can't be sent again.
    public static let redirect = NetError.Code(rawValue: "redirect")
}

/// The decision about a response that may be a redirect: a pure function (RFC 9110 section 15.4 and the Fetch
/// standard).
///
/// 303 changes every method except GET and HEAD to GET; 301 and 302 change POST to GET. The body and the headers that
/// describe it are then removed. Otherwise, the request is sent unchanged. Only headers without secrets are sent to
/// another origin; the others are removed for the rest of the call, so that no server can collect secrets that are
/// meant for another.
package enum RedirectDecision: Sendable {
    /// The response is the call's response.
    case stop
    /// Send this request. The fragment belongs to the URL and is never sent.
    case follow(PreparedRequest, fragment: String?)
    /// The call fails.
    case fail(NetError)

    /// The status codes of redirects. 300 offers a choice, and 304 is about a stored copy.
    package static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// Returns the decision.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - request: The request that received the response.
    ///   - history: The redirects that the call has already followed.
    ///   - policy: The rules.
    ///   - redaction: The policy for hiding secrets in messages; its sensitive headers are never sent to another
    ///     origin.
    ///   - wantsHTTPS: Returns true if a host requires https regardless of the URL (RFC 6797 section 8.3). Default: no
    ///     host does.
    package static func decide(
        on head: ResponseHead, to request: PreparedRequest, history: [Redirect], policy: RedirectPolicy,
        redaction: RedactionPolicy, wantsHTTPS: (_ host: String) -> Bool = { _ in false }
    ) -> RedirectDecision {
        guard let limit = policy.limit, statuses.contains(head.status.code), let location = location(of: head) else {
            return .stop
        }
        let url = request.url
        let target: RedirectTarget
        do {
            target = try RedirectTarget(
                location, from: url, opensWebSocket: request.options.webSocket != nil, wantsHTTPS: wantsHTTPS)
        } catch {
            guard case .scheme(let scheme) = error else { return .stop }
            return fail(
                "the server redirected to a URL with the scheme \"\(scheme.prefix(24))\"; only http and https are "
                    + "followed"
            )
        }
        guard history.count < limit else {
            let chain = history.map(\.url) + [redaction.redact(url: url), redaction.redact(url: target.url.whole)]
            return fail(tooMany(chain, limit: limit))
        }
        if !policy.allowsDowngrade, request.head.scheme?.lowercased() == "https", target.url.scheme == "http" {
            return fail(
                "the server redirected from https to http, to \(redaction.redact(url: target.url.whole)); allow it "
                    + "with .follow(allowsDowngrade: true) if nothing here is a secret")
        }
        var next = request
        let method = method(after: head.status.code, request.head.method)
        if method != request.head.method {
            next.body = .none
            for field in request.head.headerFields where speaksOfBody(field.name) {
                next.head.headerFields[field.name] = nil
            }
        } else if !request.isReplayable {
            return fail(
                "the redirect (status \(head.status.code)) requires sending the body again, but it isn't replayable; "
                    + "make it replayable, or send to \(redaction.redact(url: target.url.whole)) directly")
        }
        next.head.method = method
        next.head.scheme = target.url.scheme
        next.head.authority = target.url.authority
        next.head.path = target.path
        if next.origin != request.origin {
            for field in request.head.headerFields where staysBehind(field.name, redaction) {
                next.head.headerFields[field.name] = nil
            }
            if next.options.webSocket?.secretSubprotocol != nil { next.options.webSocket?.secretSubprotocol = nil }
        }
        return .follow(next, fragment: target.fragment)
    }

    /// Returns the decision that follows from the caller's own decision.
    ///
    /// - Parameters:
    ///   - choice: The caller's decision about `proposal`.
    ///   - fragment: The fragment of the proposed URL; dropped if the caller changes the URL.
    ///   - policy: The rules.
    ///   - redaction: The policy whose sensitive headers are never sent to another origin.
    package static func decide(
        _ choice: RedirectChoice, about proposal: ProposedRedirect, fragment: String?, policy: RedirectPolicy,
        redaction: RedactionPolicy
    ) -> RedirectDecision {
        switch choice {
        case .stop: return .stop
        case .fail(let reason): return fail("the redirect was refused: \(reason)")
        case .follow(nil): return .follow(proposal.request, fragment: fragment)
        case .follow(var changed?):
            guard let url = try? BaseURL(changed.url), url.scheme == "http" || url.scheme == "https",
                changed.head.path?.hasPrefix("/") == true
            else {
                return fail("the changed redirect has no http or https URL; change only parts of the request")
            }
            if !policy.allowsDowngrade, proposal.original.head.scheme?.lowercased() == "https", url.scheme == "http" {
                return fail("the changed redirect leads from https to http, which the policy forbids")
            }
            if changed.origin != proposal.original.origin {
                let known = proposal.original.head.headerFields
                for field in changed.head.headerFields
                where staysBehind(field.name, redaction) && known[fields: field.name].contains(field) {
                    changed.head.headerFields[field.name] = nil
                }
            }
            return .follow(changed, fragment: changed.url == proposal.request.url ? fragment : nil)
        }
    }

    /// Returns true if a response names a redirect target, even one that can't be followed. Otherwise, the response is
    /// returned unchanged.
    package static func leads(_ head: ResponseHead, from url: String) -> Bool {
        guard statuses.contains(head.status.code), let location = location(of: head) else { return false }
        do {
            _ = try RedirectTarget(location, from: url, wantsHTTPS: { _ in false })
            return true
        } catch {
            if case .scheme = error { return true }
            return false
        }
    }

    /// Returns the redirect target in ASCII; nil if the response names none, an empty one, or several different ones.
    static func location(of head: ResponseHead) -> String? {
        let headers = head.headers[fields: .location]
        // Uses the received bytes, because bytes that aren't UTF-8 would be lost in a string.
        let values = Set(headers.map { $0.withUnsafeBytesOfValue { RedirectTarget.escaped($0) } })
        // nginx sends an empty one for `return 302;`, which would lead to the same URL again.
        return values.count == 1 ? values.first.flatMap { $0.isEmpty ? nil : $0 } : nil
    }

    private static func method(after status: Int, _ method: HTTPRequest.Method) -> HTTPRequest.Method {
        switch status {
        case 303: method == .head ? .head : .get
        case 301, 302: method == .post ? .get : method
        default: method
        }
    }

    private static func speaksOfBody(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return name.hasPrefix("content-")
            || ["transfer-encoding", "trailer", "expect", "digest", "repr-digest", "last-modified"].contains(name)
    }

    private static func staysBehind(_ name: HTTPField.Name, _ redaction: RedactionPolicy) -> Bool {
        !name.mayGoToAnyOrigin || redaction.isSensitive(name)
    }

    private static func fail(_ message: String) -> RedirectDecision {
        .fail(NetError(.redirect, phase: .validating, message: message))
    }

    private static func tooMany(_ chain: [String], limit: Int) -> String {
        let isCircle = chain.dropLast().contains(chain[chain.count - 1])
        // The beginning and the end of the chain; a loop is visible in either part.
        let shown = chain.count <= 8 ? chain : Array(chain.prefix(4)) + ["…"] + chain.suffix(3)
        return "more than \(limit) redirects" + (isCircle ? ", in a loop" : "") + ": "
            + shown.map { String($0.prefix(300)) }.joined(separator: " → ")
    }
}

extension BaseURL {
    /// The URL with its trailing slashes and its query.
    fileprivate var whole: String { "\(scheme)://\(authority)\(wholePath)" + (query.map { "?" + $0 } ?? "") }
}
