internal import HTTPTypes
internal import NetCore

/// A server's support for uploads, as announced in its response to OPTIONS.
struct UploadServer: Sendable, Hashable, Codable {
    enum Kind: String, Sendable, Codable {
        case tus
        case resumable
        /// The server announces neither protocol; it may still accept the offer to resume.
        case unknown
        /// Resumption isn't offered.
        case plain
    }

    /// The interop version of the newest supported draft.
    static let newestInterop = 8
    /// The supported versions: draft-01 to draft-12, and the drafts between them with other version numbers.
    static let interopVersions = 3...newestInterop

    var kind: Kind
    /// The interop version of the draft.
    var interop = newestInterop
    var limits = UploadLimits()
    /// The tus extensions.
    var extensions: Set<String> = []
    /// The algorithm of the checksum of each tus request, by its tus name; nil for none.
    var checksum: String?
    /// True if the server requests the digest of the whole file.
    var wantsDigest = false

    init(_ kind: Kind) { self.kind = kind }

    /// Creates the description from a response to OPTIONS, regardless of its status.
    ///
    /// - Parameter wanted: The protocol of the request. Unless it's automatic, it overrides the server's
    ///   announcement.
    init(_ head: ResponseHead, wanted: UploadProtocol) {
        switch wanted {
        case .automatic: kind = Self.announced(by: head)
        case .tus: kind = .tus
        case .resumable: kind = .resumable
        case .plain: kind = .plain
        }
        if let version = head.count(.interopVersion).flatMap({ Int(exactly: $0) }),
            Self.interopVersions.contains(version)
        {
            interop = version
        }
        limits = UploadLimits(head)
        limits.maximumSize = limits.maximumSize ?? head.count(.tusMaxSize)
        extensions = Set(head.words(.tusExtension))
        if extensions.contains("checksum") {
            let known = head.words(.tusChecksumAlgorithm)
            checksum = ["sha256", "sha512"].first { known.contains($0) }
        }
        wantsDigest = head[.wantReprDigest] != nil
    }

    private static func announced(by head: ResponseHead) -> Kind {
        if head.words(.tusVersion).contains("1.0.0") || head[.tusResumable] == "1.0.0" { return .tus }
        if head.words(.acceptPatch).contains("application/partial-upload") || head[.uploadLimit] != nil {
            return .resumable
        }
        // A server with an unsupported version would ignore the offer.
        guard let version = head.count(.interopVersion) else { return .unknown }
        return interopVersions.contains { $0 == version } ? .resumable : .unknown
    }

    /// True if an upload can be deleted from the server.
    var terminates: Bool { kind == .tus ? extensions.contains("termination") : kind != .plain }

    /// True if a tus server accepts bytes in the creation request.
    var createsWithBytes: Bool { kind == .tus && extensions.contains("creation-with-upload") }
}

/// An upload that has begun on a server.
struct UploadResource: Sendable, Hashable, Codable {
    /// The whole URL, including secrets in its query. Never logged.
    var url: String
    /// The server, with the limits of this upload.
    var server: UploadServer
    /// The time after which the server may discard the upload, in seconds since 1970; nil if not specified.
    var expires: Double?
}

extension UploadResource: CustomStringConvertible, CustomReflectable {
    /// The redacted URL.
    var description: String { RedactionPolicy.safeDefault.redact(url: url) }
    var customMirror: Mirror { Mirror(self, children: ["resource": description]) }
}
