internal import HTTPTypes
internal import NetCore

/// The part of a request that carries a credential. A credential is never shown, wherever it is placed.
///
///     let tokens = RefreshingCredentials { _ in try .bearer("a1b2") }
///     let inQuery = AuthMiddleware(tokens.placed(.query("access_token")))
///     let inSubprotocol = AuthMiddleware(tokens.placed(.subprotocol(prefix: "bearer.")))
public enum CredentialPlacement: Sendable, Hashable {
    /// The credential's own header. The default, and the only place that proxies and server logs know to hide.
    case header
    /// A query item with this name and only the token as its value, without `Bearer `. It replaces an item of the same
    /// name.
    case query(String)
    /// A cookie with this name and only the token as its value, in addition to the request's other cookies. It replaces
    /// a cookie of the same name. A token with characters that a cookie can't contain (RFC 6265 section 4.1.1) throws
    /// `.invalidRequest`.
    case cookie(String)
    /// A subprotocol of a WebSocket handshake: the prefix, then the token without `Bearer `. For servers that read the
    /// token there because browsers can't send headers. The token may contain only token characters (RFC 9110 section
    /// 5.6.2); a request over HTTP throws `.invalidRequest`.
    case subprotocol(prefix: String)

    /// Returns true if a request carries the credential; nil means none.
    func holds(_ credential: Credential?, _ request: PreparedRequest) -> Bool {
        guard let credential else { return true }
        switch self {
        case .header: return request.head.headerFields[credential.header] == credential.value
        case .query(let name):
            return request.head.path.map { Self.items($0).contains(item(name, credential)[...]) } ?? false
        case .cookie(let name):
            return Self.cookies(request).contains { $0 == "\(name)=\(token(credential))" }
        case .subprotocol(let prefix): return request.options.webSocket?.secretSubprotocol == prefix + token(credential)
        }
    }

    /// Puts a credential into a request in place of another, with redaction rules that hide it wherever the request is
    /// shown. Nil removes the other.
    func put(
        _ credential: Credential?, insteadOf old: Credential? = nil, into request: inout PreparedRequest,
        _ context: CallContext
    ) throws(NetError) {
        switch self {
        case .header:
            if let old { request.head.headerFields[old.header] = nil }
            guard let credential else { return }
            hide(credential, context)
            request.head.headerFields[fields: credential.header] = [credential.line]
            redact(&request, context) { policy in
                if !policy.isSensitive(credential.header) { policy.headerNames.insert(credential.header.canonicalName) }
            }
        case .query(let name):
            guard credential != nil || old != nil else { return }
            if let credential { hide(credential, context) }
            let path = request.head.path ?? "/"
            let kept = Self.items(path).filter { !$0.hasPrefix(PercentEncoding.encode(name) + "=") }
            let all = kept.map { String($0) } + (credential.map { [item(name, $0)] } ?? [])
            request.head.path = path.prefix { $0 != "?" } + (all.isEmpty ? "" : "?" + all.joined(separator: "&"))
            redact(&request, context) { $0.queryNames.insert(name) }
        case .cookie(let name):
            guard credential != nil || old != nil else { return }
            if let credential { hide(credential, context) }
            let added = try credential.map { (credential) throws(NetError) in try cookie(name, credential, context) }
            let all = Self.cookies(request).filter { !$0.hasPrefix(name + "=") } + [added].compactMap { $0 }
            request.head.headerFields[.cookie] = all.isEmpty ? nil : all.joined(separator: "; ")
            redact(&request, context) { if !$0.isSensitive(.cookie) { $0.headerNames.insert("cookie") } }
        case .subprotocol(let prefix):
            guard request.options.webSocket != nil else {
                throw context.error(
                    .invalidRequest, phase: .middleware,
                    message:
                        "only a WebSocket offers a subprotocol that could carry the credential; use another placement")
            }
            let secret = credential.map { prefix + token($0) }
            guard secret.map({ HTTPField.Name($0) != nil }) ?? true else {
                throw context.error(
                    .invalidRequest, phase: .middleware,
                    message:
                        "the credential has characters that a subprotocol can't contain; encode it in base64url, without ="
                )
            }
            if let credential, let secret {
                hide(credential, context)
                context.hide(secret)
            }
            request.options.webSocket?.secretSubprotocol = secret
        }
    }

    private func hide(_ credential: Credential, _ context: CallContext) {
        context.hide(credential: credential.value)
        if let renewal = credential.renewal { context.hide(renewal) }
    }

    private func item(_ name: String, _ credential: Credential) -> String {
        PercentEncoding.encode(name) + "=" + PercentEncoding.encode(token(credential))
    }

    private func cookie(_ name: String, _ credential: Credential, _ context: CallContext) throws(NetError) -> String {
        let token = token(credential)
        guard HTTPField.Name(name) != nil,
            token.utf8.allSatisfy({ $0 > 32 && $0 < 127 && !Self.outsideCookies.contains($0) })
        else {
            throw context.error(
                .invalidRequest, phase: .middleware,
                message: "the cookie \(name) or its credential has characters that a cookie can't contain")
        }
        return "\(name)=\(token)"
    }

    private static let outsideCookies = Set("\",;\\".utf8)

    private static func cookies(_ request: PreparedRequest) -> [String] {
        (request.head.headerFields[.cookie] ?? "").split(separator: ";")
            .map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }

    private func token(_ credential: Credential) -> String {
        let isBearer = credential.value.lowercased().hasPrefix("bearer ")
        return isBearer ? String(credential.value.dropFirst(7)) : credential.value
    }

    private static func items(_ path: String) -> [Substring] {
        guard let mark = path.firstIndex(of: "?") else { return [] }
        return path[path.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
            .filter { !$0.isEmpty }
    }

    private func redact(
        _ request: inout PreparedRequest, _ context: CallContext, _ change: (inout RedactionPolicy) -> Void
    ) {
        let redaction = request.options.redaction ?? context.environment.redaction
        guard redaction != .disabled else { return }
        var stricter = redaction
        change(&stricter)
        if stricter != redaction { request.options.redaction = stricter }
    }
}
