internal import HTTPTypes
public import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A jar of cookies that the calls of a client share. Give two clients one store and they share their cookies.
///
/// Nothing is kept on disk unless you say so:
///
///     let cookies = CookieStore()
///     try await cookies.load(from: "/var/lib/shop/cookies.json")
///     let client = HTTPClient(
///         configuration: .init(baseURL: "https://shop.example", middleware: [CookieMiddleware(cookies)]))
///     _ = try await client.send(GetUser(id: 7))
///     try await cookies.save(to: "/var/lib/shop/cookies.json")
public final class CookieStore: Sendable {
    private let jar: Mutex<CookieJar>
    private let owner = Mutex(CallIdentity.unique())

    /// A file of more bytes is not read.
    private static let maximumFileBytes = 64 << 20

    /// Takes a jar. Default an empty one that asks ``NetCore/PublicSuffixes/system``.
    public init(_ jar: CookieJar = CookieJar(publicSuffixes: .system)) {
        self.jar = Mutex(jar)
    }

    /// The identity of the requests that get cookies from the jar. An emptied jar is another one: the next cookies are those of
    /// another login.
    var identity: CallIdentity { owner.withLock { $0 } }

    /// Looks at the jar, or changes it as an app does.
    private func change<Value: Sendable>(_ body: (inout CookieJar) throws -> Value) rethrows -> Value {
        try jar.withLock { jar in
            defer { if jar.count == 0 { owner.withLock { $0 = .unique() } } }
            return try body(&jar)
        }
    }

    /// All cookies, sorted by domain, path and name.
    public var cookies: [Cookie] { jar.withLock { $0.cookies } }

    /// Looks at the jar, or changes it; calls wait meanwhile.
    ///
    ///     let store = CookieStore()
    ///     store.withJar { $0.removeAll { $0.domain == "ads.example" } }
    public func withJar<Value: Sendable>(_ body: (inout CookieJar) throws -> Value) rethrows -> Value {
        try change(body)
    }

    /// Takes every cookie out.
    public func removeAll() { change { $0.removeAll() } }

    /// Puts the cookies of a file, as ``save(to:includingSession:)`` writes it, in place of those that are here; those that
    /// have ended, and entries that are no cookies, are passed over.
    ///
    /// Throws `.file` where it cannot be read, `.decoding` where it is no file of cookies: then the jar stays as it was. Reading happens
    /// on a thread for files and is not interrupted when the task is cancelled.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - now: The time. Default the system's.
    /// - Returns: False where there is no such file; then the jar stays as it was.
    @discardableResult
    public func load(from path: String, now: Date = Date()) async throws(NetError) -> Bool {
        let found = try await FileThreads.shared.run { () throws(NetError) -> [Cookie]? in try Self.cookies(at: path) }
        guard let found else { return false }
        change { $0.removeAll() }
        jar.withLock { $0.insert(kept: found, now: now) }
        return true
    }

    /// Writes the cookies to a file that only its owner may read, in place of an older one at once: a crash leaves one of both
    /// whole. The file is JSON and holds the values.
    ///
    /// Throws `.file` where it cannot be written, and `.decoding` where something is there that is no file of cookies: that
    /// is not overwritten.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must be there.
    ///   - includingSession: Whether cookies that end with the session are kept too. Default false.
    public func save(to path: String, includingSession: Bool = false) async throws(NetError) {
        let jar = jar.withLock { $0 }
        try await FileThreads.shared.run { () throws(NetError) in
            _ = try Self.cookies(at: path)
            try PrivateFile.replace(path, with: try jar.file(includingSession: includingSession))
        }
    }

    private static func cookies(at path: String) throws(NetError) -> [Cookie]? {
        guard let bytes = try PrivateFile.contents(of: path, upTo: maximumFileBytes) else { return nil }
        do {
            return try CookieJar.cookies(fromFile: bytes)
        } catch {
            throw NetError(error.code, phase: error.phase, message: "\"\(path)\": \(error.message)")
        }
    }

    func field(for target: CookieTarget, now: Date, except: Set<String>) -> String? {
        jar.withLock { jar in
            // Most clients talk to one host, and many of those never set a cookie.
            jar.count == 0 ? nil : jar.field(for: target, now: now, except: except)
        }
    }

    func store(_ fields: some Sequence<HTTPField>, from target: CookieTarget, now: Date) {
        // The bytes that came: in a text, those that are no UTF-8 would be others.
        let received = fields.map { $0.withUnsafeBytesOfValue { SetCookie(bytes: Array($0)) } }
        jar.withLock { jar in
            for cookie in received { _ = jar.store(cookie, from: target, now: now) }
        }
    }
}

extension CookieStore: CustomStringConvertible {
    /// How many cookies of how many domains.
    public var description: String { jar.withLock { $0.description } }
}
