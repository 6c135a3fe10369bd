public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The result of a download.
public struct DownloadedFile: Sendable, Hashable {
    /// The path.
    public var path: String
    /// The size in bytes.
    public var bytes: Int64
    /// The media type sent by the server; nil if there was none.
    public var type: MediaType?
    /// False if the server reported that the existing file is current (``ExistingFile/ask``), so nothing was
    /// downloaded.
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
