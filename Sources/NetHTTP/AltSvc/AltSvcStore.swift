public import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A list of alternative services that a client's calls share. It's stored on disk only if you call ``save(to:)``.
///
///     let services = AltSvcStore()
///     try await services.load(from: "/var/lib/shop/alt-svc.json")
public final class AltSvcStore: Sendable {
    private let list: Mutex<AltSvcList>

    /// Creates a store, by default with an empty list.
    public init(_ list: AltSvcList = AltSvcList()) {
        self.list = Mutex(list)
    }

    /// All origins, sorted by name.
    public var entries: [AltSvcList.Entry] { list.withLock { $0.entries } }

    /// Reads or changes the list; calls that need it wait in the meantime.
    public func withList<Value: Sendable>(_ body: (inout AltSvcList) throws -> Value) rethrows -> Value {
        try list.withLock { list in try body(&list) }
    }

    /// Replaces all origins with those of a file written by ``save(to:)``.
    ///
    /// Throws `.file` if the file can't be read, `.decoding` if it's damaged; the list doesn't change then. Entries
    /// that aren't alternatives of an https origin are skipped. The file is read on a thread for files; cancelling
    /// the task doesn't interrupt that.
    ///
    /// - Returns: False if there is no such file; the list doesn't change then.
    @discardableResult
    public func load(from path: String) async throws(NetError) -> Bool {
        guard let file = try await AltSvcFile.load(from: path) else { return false }
        list.withLock { list in
            list.removeAll()
            for entry in file.entries { list.insert(entry) }
        }
        return true
    }

    /// Writes the origins to a file that only its owner may read; atomically replaces an older one.
    ///
    /// Throws `.file` if the file can't be written, `.decoding` if the path holds something else, which isn't
    /// overwritten.
    public func save(to path: String) async throws(NetError) {
        try await AltSvcFile(list.withLock { $0 }).save(to: path)
    }
}
