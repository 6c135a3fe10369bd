internal import HTTPTypes
internal import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The cookies of one request, across all its attempts.
///
/// A server may require a cookie that it sets together with a 401 or 503, such as a nonce or the place in a queue, so
/// later attempts send the cookies that earlier ones received.
final class CookieExchange: AttemptHook {
    private struct State {
        var hasReceived = false
        /// True if a response has set cookies.
        var isOutdated = false
        var difference: IdentityDifference?
    }

    /// The value of the `Cookie` header that the call began with; nil if there are no cookies.
    let field: String?
    /// The stored cookies among them.
    let stored: [Cookie]
    /// The login that the call began with: the holder of its cookies.
    let identity: CallIdentity
    private let middleware: CookieMiddleware
    /// The request's own `Cookie` header; empty if it had none.
    private let own: OwnCookies
    private let state = Mutex(State())

    init(_ middleware: CookieMiddleware, _ request: PreparedRequest, for target: CookieTarget, at now: Date) {
        self.middleware = middleware
        own = OwnCookies(request)
        stored = middleware.store.cookies(for: target, now: now, except: own.names)
        field = own.followed(by: stored)
        identity = middleware.identity(of: stored, after: own)
    }

    /// True if the jar adds cookies to those of the request.
    var addsCookies: Bool { field != nil && field != own.text }

    /// True if a response came from the network.
    var hasReceived: Bool { state.withLock { $0.hasReceived } }

    var difference: IdentityDifference? { state.withLock { $0.difference } }

    func willSend(_ request: inout PreparedRequest, _ context: CallContext) {
        // A header that another middleware has changed in the meantime stays unchanged.
        guard state.withLock({ $0.isOutdated }), request.head.headerFields[.cookie] == field,
            let target = CookieTarget(request.head)
        else { return }
        let stored = middleware.store.cookies(for: target, now: context.environment.clock.date(), except: own.names)
        request.head.headerFields[.cookie] = own.followed(by: stored)
        for cookie in stored where middleware.isSecret(cookie, context) { context.hide(cookie.value) }
        if context.tracksIdentity, middleware.identity(of: stored, after: own) != identity {
            state.withLock { $0.difference = .header(.cookie) }
        }
    }

    func didReceive(_ head: ResponseHead, to request: PreparedRequest, _ context: CallContext) {
        let setsCookies = head[.setCookie] != nil
        state.withLock { state in
            state.hasReceived = true
            state.isOutdated = state.isOutdated || setsCookies
        }
        guard setsCookies, let target = CookieTarget(request.head) else { return }
        middleware.store.store(head.headers[fields: .setCookie], from: target, now: context.environment.clock.date())
    }
}

/// The cookies that a request itself contains. They come first and replace stored ones of the same name.
struct OwnCookies: Sendable {
    /// The value of the request's `Cookie` header; empty if it has none.
    let text: String
    let names: Set<String>

    init(_ request: PreparedRequest) {
        text = request.head.headerFields[.cookie] ?? ""
        let pairs = text.utf8.split(separator: UInt8(ascii: ";")).compactMap { SetCookie(bytes: Array($0)) }
        names = Set(pairs.map(\.name))
    }

    /// Returns the value of a `Cookie` header with these and stored cookies; nil if there are none at all.
    func followed(by stored: [Cookie]) -> String? {
        text.isEmpty ? stored.field : stored.field.map { text + "; " + $0 } ?? text
    }
}
