public import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A list of hosts that require https, shared by the calls of a client. Nothing is kept on disk unless you save it.
///
///     let hosts = HSTSStore()
///     try await hosts.load(from: "/var/lib/shop/hsts.json")
public final class HSTSStore: Sendable {
    private let list: Mutex<HSTSList>

    /// Creates a store.
    ///
    /// - Parameter list: The initial contents. Default: an empty list.
    public init(_ list: HSTSList = HSTSList()) {
        self.list = Mutex(list)
    }

    /// All hosts, sorted by name.
    public var entries: [HSTSList.Entry] { list.withLock { $0.entries } }

    /// Runs `body` with exclusive access to the list, to read or to change it; calls wait in the meantime.
    public func withList<Value: Sendable>(_ body: (inout HSTSList) throws -> Value) rethrows -> Value {
        try list.withLock { list in try body(&list) }
    }

    /// Replaces the hosts with those of a file written by ``save(to:)``.
    ///
    /// Throws `.file` if the file can't be read, and `.decoding` if it is damaged; the list stays unchanged in both
    /// cases. The file is read on a thread for files; cancelling the task doesn't interrupt that.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: False if there is no such file; then the list stays unchanged.
    @discardableResult
    public func load(from path: String) async throws(NetError) -> Bool {
        guard let file = try await HSTSFile.load(from: path) else { return false }
        list.withLock { list in
            list.removeAll()
            for entry in file.entries { list.insert(entry) }
        }
        return true
    }

    /// Writes the hosts to a file that only its owner can read; an older file is replaced atomically.
    ///
    /// Throws `.file` if the file can't be written, and `.decoding` if the existing file is of another kind; such a
    /// file isn't overwritten.
    public func save(to path: String) async throws(NetError) {
        try await HSTSFile(list.withLock { $0 }).save(to: path)
    }

    func wantsHTTPS(_ host: String, now: Date) -> Bool { list.withLock { $0.wantsHTTPS(host, now: now) } }

    func receive(_ field: String, from target: CookieTarget, now: Date) {
        list.withLock { _ = $0.receive(field, from: target, now: now) }
    }
}
