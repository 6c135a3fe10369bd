public import HTTPTypes
public import NetCore

/// A file to download, and how.
///
///     var request = DownloadRequest("https://example.com/image.iso", priority: .high)
///     request.checksum = .sha256("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
///     let id = try await manager.enqueue(request)
public struct DownloadRequest: Sendable {
    /// The URL, `http` or `https`.
    public var url: String
    /// The name of the file. Default nil: the server's (`Content-Disposition`), else the last component of the URL.
    /// Characters that a name can't have are replaced.
    public var fileName: String?
    /// The folder, relative to the manager's. Default nil: the manager's layout decides. It never leaves the manager's folder.
    public var folder: String?
    /// The priority among downloads that wait. Default normal. It can be changed:
    /// ``DownloadManager/setPriority(_:of:)``.
    public var priority: RequestPriority
    /// The digest that the file must have; a file with another fails with `.checksumMismatch`. Default nil: what the server
    /// says (`Repr-Digest`), if it says it.
    public var checksum: DownloadChecksum?
    /// Other URLs of the same file, which may help with parallel ranges. Default none. They need a ``checksum``.
    public var mirrors: [String]
    /// What happens if there is a file of that name. Default ``ExistingFile/number``.
    public var existing: ExistingFile
    /// Headers for the requests of this download. Default none. They aren't kept in the journal, since they may be secrets: a
    /// download that ``DownloadManager/restore()`` finds has none. The client adds its own in any case.
    public var headers: HTTPFields
    /// The networks that the download may use. Default ``DownloadNetwork/any``.
    public var network: DownloadNetwork
    /// The maximum number of ranges that are loaded at once, each over its own connection. Default 1. More are begun only if
    /// they make the download faster.
    public var ranges: Int
    /// True to give the file the server's `Last-Modified` as its time. Default false.
    public var keepsServerDate: Bool

    /// Creates a request. The other properties have their defaults.
    public init(
        _ url: some URLConvertible, fileName: String? = nil, folder: String? = nil,
        priority: RequestPriority = .normal, checksum: DownloadChecksum? = nil, mirrors: [String] = [],
        existing: ExistingFile = .number, headers: HTTPFields = [:], network: DownloadNetwork = .any, ranges: Int = 1,
        keepsServerDate: Bool = false
    ) {
        self.url = url.urlText
        self.fileName = fileName
        self.folder = folder
        self.priority = priority
        self.checksum = checksum
        self.mirrors = mirrors
        self.existing = existing
        self.headers = headers
        self.network = network
        self.ranges = ranges
        self.keepsServerDate = keepsServerDate
    }
}

extension DownloadRequest: CustomStringConvertible, CustomReflectable {
    /// The URL without its secrets.
    public var description: String { "DownloadRequest(\(Printed.url(url)))" }

    /// The properties without their secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": Printed.url(url), "fileName": fileName as Any, "folder": folder as Any,
                "priority": priority.rawValue, "checksum": checksum.map { "\($0)" } as Any,
                "mirrors": mirrors.map(Printed.url), "existing": existing, "headers": Printed.headers(headers),
                "network": "\(network)", "ranges": ranges, "keepsServerDate": keepsServerDate,
            ], displayStyle: .struct)
    }
}
