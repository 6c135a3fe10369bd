internal import HTTPTypes
public import NetCore
internal import NetCrypto

/// Protects bodies against what happens to them on their way: by digests in both directions (RFC 9530).
///
/// Requests get a `Content-Digest`, unless they have one: bodies in memory at once, replayable streams and files by reading
/// them once before they are sent. A stream that can be read only once goes without, since its digest is known too late;
/// ``refusesOneTimeBodies`` makes that an error. Every request asks for a digest with `Want-Content-Digest`, and the
/// transport compares what a response announces in `Content-Digest`, in the trailers, or for a whole one in `Repr-Digest`:
/// all algorithms that it knows, SHA-256 and SHA-512. A body that differs throws `.digestMismatch`, a collected one instead
/// of the answer, a streamed one instead of its end. Of an answer that is dropped (`Empty`) nothing is compared once more
/// came than is kept of it, and of a redirect that is followed nothing at all. A response without digests passes, and so does one whose digests are
/// malformed or of other algorithms.
///
/// The digest is of the content as it travels, so this stands behind ``CompressionMiddleware`` in the list.
///
///     let client = HTTPClient(
///         configuration: .init(baseURL: "https://api.example.com", middleware: [ContentDigestMiddleware()]))
public struct ContentDigestMiddleware: Middleware {
    /// What request bodies are hashed with; nil adds no digest. Default SHA-256.
    public var algorithm: DigestAlgorithm?
    /// What servers are asked for, the dearest first; at most nine count. None asks for nothing. Default SHA-256, SHA-512.
    public var wanted: [DigestAlgorithm]
    /// Whether a body that can be read only once is an `.encoding` error instead of going out without a digest. Default
    /// false.
    public var refusesOneTimeBodies: Bool

    /// The defaults.
    public init(
        algorithm: DigestAlgorithm? = .sha256, wanted: [DigestAlgorithm] = [.sha256, .sha512],
        refusesOneTimeBodies: Bool = false
    ) {
        self.algorithm = algorithm
        self.wanted = wanted
        self.refusesOneTimeBodies = refusesOneTimeBodies
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        var request = request
        request.options.verifiesDigests = true
        if let wish, request.head.headerFields[.wantContentDigest] == nil {
            request.head.headerFields[.wantContentDigest] = wish
        }
        if let algorithm, request.head.headerFields[.contentDigest] == nil,
            let digest = try await digest(of: request.body, algorithm)
        {
            request.head.headerFields.setDigests([algorithm: digest], .contentDigest)
        }
        return try await next(request, context)
    }

    /// RFC 9530 section 4: 10 is wanted most, 1 least.
    private var wish: String? {
        guard !wanted.isEmpty else { return nil }
        var dictionary = StructuredField.Dictionary()
        for (index, algorithm) in wanted.prefix(9).enumerated() {
            dictionary[algorithm.rawValue] = .item(.integer(Int64(10 - index)))
        }
        return try? dictionary.serialized()
    }

    private func digest(of body: RequestBody.Content, _ algorithm: DigestAlgorithm) async throws -> Bytes? {
        guard let function = algorithm.function else {
            throw NetError(
                .unsupported, phase: .preparing, message: "request bodies are hashed only with SHA-256 and SHA-512")
        }
        switch body {
        case .none: return nil
        case .bytes(let bytes): return RunningHash.digest(of: bytes, function)
        case .stream(_, isReplayable: false, _):
            guard refusesOneTimeBodies else { return nil }
            throw NetError(
                .encoding, phase: .preparing,
                message: "the body can be read only once, and its digest must be sent before it; make it replayable")
        case .stream(_, isReplayable: true, let make):
            let source = try make()
            var hashes = BodyHashes([algorithm])
            while let chunk = try await source.next() { hashes.update(chunk) }
            return hashes.finish()[algorithm]
        }
    }
}
