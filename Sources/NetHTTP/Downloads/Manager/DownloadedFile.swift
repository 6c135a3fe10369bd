public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A file that was downloaded.
public struct DownloadedFile: Sendable, Hashable {
    /// The path.
    public var path: String
    /// The size in bytes.
    public var bytes: Int64
    /// The type that the server has named; nil if it has named none.
    public var type: MediaType?
    /// False if the server has said that the existing file is the newest (``ExistingFile/ask``): nothing was loaded.
    public var isNew: Bool

    /// Creates a value.
    public init(path: String, bytes: Int64, type: MediaType? = nil, isNew: Bool = true) {
        self.path = path
        self.bytes = bytes
        self.type = type
        self.isNew = isNew
    }

    /// The path as a URL.
    public var url: URL { URL(fileURLWithPath: path) }
    /// The name.
    public var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
