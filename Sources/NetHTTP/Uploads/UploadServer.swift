internal import HTTPTypes
internal import NetCore

/// A server's support for uploads, as its response to OPTIONS announces it.
struct UploadServer: Sendable, Hashable, Codable {
    enum Kind: String, Sendable, Codable {
        case tus
        case resumable
        /// It announces neither; the offer to resume may still be taken.
        case unknown
        /// Nothing is offered.
        case plain
    }

    /// The interop version of the newest draft that is spoken here.
    static let newestInterop = 8
    /// The spoken versions: draft-01 to draft-12 and those between them with another number.
    static let interopVersions = 3...newestInterop

    var kind: Kind
    /// The interop version of the draft.
    var interop = newestInterop
    var limits = UploadLimits()
    /// The tus extensions.
    var extensions: Set<String> = []
    /// The algorithm of the checksum of each tus request, as tus calls it; nil for none.
    var checksum: String?
    /// True if the server asks for the digest of the whole file.
    var wantsDigest = false

    init(_ kind: Kind) { self.kind = kind }

    /// Creates the description from a response to OPTIONS, whatever its status.
    ///
    /// - Parameter wanted: The protocol of the request: one that was chosen counts more than what the server says.
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
        // A server of a version that isn't spoken here would ignore the offer.
        guard let version = head.count(.interopVersion) else { return .unknown }
        return interopVersions.contains { $0 == version } ? .resumable : .unknown
    }

    /// True if an upload can be deleted.
    var terminates: Bool { kind == .tus ? extensions.contains("termination") : kind != .plain }

    /// True if a tus server takes bytes with the creation.
    var createsWithBytes: Bool { kind == .tus && extensions.contains("creation-with-upload") }
}

/// An upload that has begun on a server.
struct UploadResource: Sendable, Hashable, Codable {
    /// The whole URL, secrets in its query included. Never logged.
    var url: String
    /// The server, with the limits of this upload.
    var server: UploadServer
    /// The time after which the server may forget it, in seconds since 1970; nil if it doesn't say.
    var expires: Double?
}

extension UploadResource: CustomStringConvertible, CustomReflectable {
    /// The redacted URL.
    var description: String { RedactionPolicy.safeDefault.redact(url: url) }
    var customMirror: Mirror { Mirror(self, children: ["resource": description]) }
}
