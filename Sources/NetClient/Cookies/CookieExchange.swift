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
    }

    /// The value of the `Cookie` header that the call began with; nil if there are no cookies.
    let field: String?
    private let store: CookieStore
    /// The value of the request's own `Cookie` header; empty if it had none.
    let own: String
    private let names: Set<String>
    private let state = Mutex(State())

    init(_ store: CookieStore, own: String, for target: CookieTarget, at now: Date) {
        self.store = store
        self.own = own
        let pairs = own.utf8.split(separator: UInt8(ascii: ";")).compactMap { SetCookie(bytes: Array($0)) }
        names = Set(pairs.map(\.name))
        field = Self.joined(own, store.field(for: target, now: now, except: names))
    }

    private static func joined(_ own: String, _ stored: String?) -> String? {
        own.isEmpty ? stored : stored.map { own + "; " + $0 } ?? own
    }

    /// True if a response came from the network.
    var hasReceived: Bool { state.withLock { $0.hasReceived } }

    func willSend(_ request: inout PreparedRequest, _ context: CallContext) {
        // A header that another middleware has changed in the meantime stays unchanged.
        guard state.withLock({ $0.isOutdated }), request.head.headerFields[.cookie] == field,
            let target = CookieTarget(request.head)
        else { return }
        let stored = store.field(for: target, now: context.environment.clock.date(), except: names)
        request.head.headerFields[.cookie] = Self.joined(own, stored)
    }

    func didReceive(_ head: ResponseHead, to request: PreparedRequest, _ context: CallContext) {
        let setsCookies = head[.setCookie] != nil
        state.withLock { state in
            state.hasReceived = true
            state.isOutdated = state.isOutdated || setsCookies
        }
        guard setsCookies, let target = CookieTarget(request.head) else { return }
        store.store(head.headers[fields: .setCookie], from: target, now: context.environment.clock.date())
    }
}
