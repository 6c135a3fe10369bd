public import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A list of hosts that want https, shared by the calls of a client. Nothing is kept on disk unless you say so.
///
///     let hosts = HSTSStore()
///     try await hosts.load(from: "/var/lib/shop/hsts.json")
public final class HSTSStore: Sendable {
    private let list: Mutex<HSTSList>

    /// A file of more bytes is not read.
    private static let maximumFileBytes = 64 << 20

    /// Takes a list. Default an empty one.
    public init(_ list: HSTSList = HSTSList()) {
        self.list = Mutex(list)
    }

    /// All hosts, by name.
    public var entries: [HSTSList.Entry] { list.withLock { $0.entries } }

    /// Looks at the list, or changes it; calls wait meanwhile.
    public func withList<Value: Sendable>(_ body: (inout HSTSList) throws -> Value) rethrows -> Value {
        try list.withLock { list in try body(&list) }
    }

    /// Puts the hosts of a file, as ``save(to:)`` writes it, in place of those that are here.
    ///
    /// Throws `.file` where it cannot be read, `.decoding` where it is damaged: then the list stays as it was. Reading happens
    /// on a thread for files and is not interrupted when the task is cancelled.
    ///
    /// - Returns: False where there is no such file; then the list stays as it was.
    @discardableResult
    public func load(from path: String) async throws(NetError) -> Bool {
        let found = try await FileThreads.shared.run { () throws(NetError) -> [HSTSList.Entry]? in
            try Self.entries(at: path)
        }
        guard let found else { return false }
        list.withLock { list in
            list.removeAll()
            for entry in found { list.insert(entry) }
        }
        return true
    }

    /// Writes the hosts to a file that only its owner may read, in place of an older one at once.
    ///
    /// Throws `.file` where it cannot be written, and `.decoding` where something else is there: that is not overwritten.
    public func save(to path: String) async throws(NetError) {
        let list = list.withLock { $0 }
        try await FileThreads.shared.run { () throws(NetError) in
            _ = try Self.entries(at: path)
            try PrivateFile.replace(path, with: try list.file())
        }
    }

    private static func entries(at path: String) throws(NetError) -> [HSTSList.Entry]? {
        guard let bytes = try PrivateFile.contents(of: path, upTo: maximumFileBytes) else { return nil }
        do {
            return try HSTSList.entries(fromFile: bytes)
        } catch {
            throw NetError(error.code, phase: error.phase, message: "\"\(path)\": \(error.message)")
        }
    }

    func wantsHTTPS(_ host: String, now: Date) -> Bool { list.withLock { $0.wantsHTTPS(host, now: now) } }

    func receive(_ field: String, from target: CookieTarget, now: Date) {
        list.withLock { _ = $0.receive(field, from: target, now: now) }
    }
}
