internal import HTTPTypes

extension NetError.Code {
    /// A redirect may not be followed: too many, from https to http, to something that is not http, or with a body that
    /// cannot be sent again.
    public static let redirect = NetError.Code(rawValue: "redirect")
}

/// The verdict on a response that may lead elsewhere: a pure function (RFC 9110 section 15.4 and the Fetch standard).
///
/// 303 turns every method but GET and HEAD into GET, 301 and 302 turn POST into GET; the body and the fields that speak of it
/// then stay behind. Otherwise the request goes on as it is. At another origin only fields that hold no secret go along, the
/// others stay behind for good: no server can collect what was meant for another.
public enum RedirectDecision: Sendable {
    /// The response is the call's.
    case stop
    /// Send this request. The fragment belongs to the URL, and is never sent.
    case follow(PreparedRequest, fragment: String?)
    /// The call ends here.
    case fail(NetError)

    /// The status codes that lead on: 300 leaves a choice, and 304 speaks of a copy.
    public static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// Decides.
    ///
    /// - Parameters:
    ///   - head: The response.
    ///   - request: What was answered so.
    ///   - history: What was followed before, in this call.
    ///   - policy: The rules.
    ///   - redaction: What messages hide, and which fields never go to another origin.
    ///   - wantsHTTPS: Whether a host is to be asked by https whatever its URL says (RFC 6797 section 8.3). Default none.
    public static func decide(
        on head: ResponseHead, to request: PreparedRequest, history: [Redirect], policy: RedirectPolicy,
        redaction: RedactionPolicy, wantsHTTPS: (_ host: String) -> Bool = { _ in false }
    ) -> RedirectDecision {
        guard let limit = policy.limit, statuses.contains(head.status.code), let location = location(of: head) else {
            return .stop
        }
        let url = request.url
        let target: RedirectTarget
        do {
            target = try RedirectTarget(location, from: url, wantsHTTPS: wantsHTTPS)
        } catch {
            guard case .scheme(let scheme) = error else { return .stop }
            return fail(
                "the server led to a URL of the scheme \"\(scheme.prefix(24))\", and only http and https are followed")
        }
        guard history.count < limit else {
            let chain = history.map(\.url) + [redaction.redact(url: url), redaction.redact(url: target.url.whole)]
            return fail(tooMany(chain, limit: limit))
        }
        if !policy.allowsDowngrade, request.head.scheme?.lowercased() == "https", target.url.scheme == "http" {
            return fail(
                "the server led from https to http, to \(redaction.redact(url: target.url.whole)); allow it with "
                    + ".follow(allowsDowngrade: true) if nothing here is a secret")
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
                "the server led on with \(head.status.code), which sends the body again, and this one cannot be; make it "
                    + "replayable, or send to \(redaction.redact(url: target.url.whole)) at once")
        }
        next.head.method = method
        next.head.scheme = target.url.scheme
        next.head.authority = target.url.authority
        next.head.path = target.path
        if next.origin != request.origin {
            for field in request.head.headerFields where staysBehind(field.name, redaction) {
                next.head.headerFields[field.name] = nil
            }
        }
        return .follow(next, fragment: target.fragment)
    }

    /// Whether a response names a place, if only one that may not be gone to: where it does not, it is answered as it is.
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

    /// The one place that is named, in ASCII; nil where there is none, or several.
    static func location(of head: ResponseHead) -> String? {
        let fields = head.fields[fields: .location]
        // The bytes that came: those that are no UTF-8 would be lost in a text.
        let values = Set(fields.map { $0.withUnsafeBytesOfValue { RedirectTarget.escaped($0) } })
        return values.count == 1 ? values.first : nil
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
        // The way in, and where it turned at last; a circle shows itself in either.
        let shown = chain.count <= 8 ? chain : Array(chain.prefix(4)) + ["…"] + chain.suffix(3)
        return "more than \(limit) redirects" + (isCircle ? ", in a circle" : "") + ": "
            + shown.map { String($0.prefix(300)) }.joined(separator: " → ")
    }
}

extension BaseURL {
    /// The URL with its slashes and its query.
    fileprivate var whole: String { "\(scheme)://\(authority)\(wholePath)" + (query.map { "?" + $0 } ?? "") }
}
