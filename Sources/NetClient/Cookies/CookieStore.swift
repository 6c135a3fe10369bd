internal import HTTPTypes
public import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie jar shared by the calls of a client. Clients with the same store share their cookies.
///
/// Nothing is kept on disk unless you save it:
///
///     let cookies = CookieStore()
///     try await cookies.load(from: "/var/lib/shop/cookies.json")
///     let client = HTTPClient(baseURL: "https://shop.example") { $0.middleware = [CookieMiddleware(cookies)] }
///     try await client.send(GetUser(id: 7))
///     try await cookies.save(to: "/var/lib/shop/cookies.json")
public final class CookieStore: Sendable {
    private let jar: Mutex<CookieJar>

    /// Creates a store.
    ///
    /// - Parameter jar: The initial contents. Default: an empty jar with ``PublicSuffixes/system``.
    public init(_ jar: CookieJar = CookieJar(publicSuffixes: .system)) {
        self.jar = Mutex(jar)
    }

    /// All cookies, sorted by domain, path and name.
    public var cookies: [Cookie] { jar.withLock { $0.cookies } }

    /// Runs `body` with exclusive access to the jar, to read or to change it; calls wait in the meantime.
    ///
    ///     let store = CookieStore()
    ///     store.withJar { $0.removeAll { $0.domain == "ads.example" } }
    public func withJar<Value: Sendable>(_ body: (inout CookieJar) throws -> Value) rethrows -> Value {
        try jar.withLock { jar in try body(&jar) }
    }

    /// Removes all cookies.
    public func removeAll() { jar.withLock { $0.removeAll() } }

    /// Replaces the cookies with those of a file written by ``save(to:includingSession:)``. Skips expired cookies, and
    /// entries that aren't cookies.
    ///
    /// Throws `.file` if the file can't be read, and `.decoding` if it isn't a cookie file; the jar stays unchanged in
    /// both cases. The file is read on a separate thread; cancelling the task doesn't interrupt that.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - now: The current time. Default: the system's.
    /// - Returns: False if there is no such file; then the jar stays unchanged.
    @discardableResult
    public func load(from path: String, now: Date = Date()) async throws(NetError) -> Bool {
        guard let file = try await CookieFile.load(from: path) else { return false }
        let cookies = file.usable
        jar.withLock { jar in
            jar.removeAll()
            jar.insert(kept: cookies, now: now)
        }
        return true
    }

    /// Writes the cookies to a file that only its owner can read. The file is JSON and contains the values.
    ///
    /// An older file is replaced atomically: after a crash, either the old or the new file is complete.
    ///
    /// Throws `.file` if the file can't be written, and `.decoding` if the existing file isn't a cookie file; such a
    /// file isn't overwritten.
    ///
    /// - Parameters:
    ///   - path: The path of the file; its folder must exist.
    ///   - includingSession: True to also save session cookies. Default false.
    public func save(to path: String, includingSession: Bool = false) async throws(NetError) {
        try await CookieFile(jar.withLock { $0 }, includingSession: includingSession).save(to: path)
    }

    /// Returns the cookies for a request, in the order in which they are sent. Omits the names in `except`.
    func cookies(for target: CookieTarget, now: Date, except: Set<String>) -> [Cookie] {
        jar.withLock { jar in
            // Most clients talk to one host, and many of those hosts never set a cookie.
            jar.count == 0 ? [] : jar.cookies(for: target, now: now, except: except)
        }
    }

    /// Returns the login that the cookies belong to; nil if there are none.
    var login: CallIdentity? { jar.withLock { $0.count == 0 ? nil : $0.login } }

    func store(_ headers: some Sequence<HTTPField>, from target: CookieTarget, now: Date) {
        // The bytes as received: a string would change those that aren't UTF-8.
        let received = headers.map { $0.withUnsafeBytesOfValue { SetCookie(bytes: Array($0)) } }
        jar.withLock { jar in
            let login = jar.login
            for cookie in received { _ = jar.store(cookie, from: target, now: now) }
            // A server may replace its only cookie by removing it first.
            if jar.count > 0 { jar.login = login }
        }
    }
}

extension CookieStore: CustomStringConvertible {
    /// The number of cookies and of domains.
    public var description: String { jar.withLock { $0.description } }
}
