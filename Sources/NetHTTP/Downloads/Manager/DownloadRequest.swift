public import HTTPTypes
public import NetCore

/// A file to download, with the settings of its download.
///
///     var request = DownloadRequest("https://example.com/image.iso", priority: .high)
///     request.checksum = .sha256("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
///     let id = try await manager.enqueue(request)
public struct DownloadRequest: Sendable {
    /// The URL, `http` or `https`.
    public var url: String
    /// The name of the file. Default nil: the server's (`Content-Disposition`), else the last component of the URL.
    /// Characters that aren't allowed in a name are replaced.
    public var fileName: String?
    /// The folder, relative to the manager's. Default nil: determined by the manager's layout. It can't be outside of
    /// the manager's folder.
    public var folder: String?
    /// The priority among waiting downloads. Default normal. To change it later, use
    /// ``DownloadManager/setPriority(_:of:)``.
    public var priority: RequestPriority
    /// The expected digest of the file; a file with a different digest fails with `.checksumMismatch`. Default nil:
    /// the server's `Repr-Digest`, if there is one.
    public var checksum: DownloadChecksum?
    /// Other URLs of the same file, which may help with parallel ranges. Default none. They need a ``checksum``.
    public var mirrors: [String]
    /// The behavior if a file with that name exists. Default ``ExistingFile/number``.
    public var existing: ExistingFile
    /// Headers for the requests of this download. Default none. They aren't stored in the journal, since they may be
    /// secrets: a restored download gets them from ``DownloadManager/Configuration/restoredHeaders``, or fails. The client
    /// adds its own headers in any case.
    public var headers: HTTPFields
    /// The networks that the download may use. Default ``DownloadNetwork/any``.
    public var network: DownloadNetwork
    /// The maximum number of ranges that are loaded concurrently, each over a separate connection. Default 1. Further
    /// ranges are started only if they make the download faster.
    public var ranges: Int
    /// True to set the file's modification time to the server's `Last-Modified`. Default false.
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
    /// The redacted URL.
    public var description: String { "DownloadRequest(\(Printed.url(url)))" }

    /// The properties, without secrets.
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
