internal import HTTPTypes
public import NetCore
internal import NetCrypto

/// Detects changes to bodies in transit, by digests in both directions (RFC 9530).
///
/// Requests get a `Content-Digest` unless they have one: bodies in memory are hashed immediately, replayable streams
/// and files by reading them once before they are sent. A stream that can be read only once is sent without a digest,
/// because it would be known too late; ``refusesOneTimeBodies`` makes that an error.
///
/// Every request asks for a digest with `Want-Content-Digest`. The transport verifies the digests that a response
/// provides in `Content-Digest`, in the trailers, or for a whole representation in `Repr-Digest`, for all supported
/// algorithms: SHA-256 and SHA-512. On a mismatch, a collected body throws `.digestMismatch` instead of returning the
/// response, a streamed body throws it instead of ending. A discarded body (`Void`) isn't verified if it's larger
/// than the part that is kept, and the body of a redirect that is followed isn't verified at all. A response without
/// digests is accepted, and so is one whose digests are malformed or use other algorithms.
///
/// The digest covers the content as transferred, so place this middleware after ``CompressionMiddleware`` in the
/// list.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.middleware = [ContentDigestMiddleware()] }
public struct ContentDigestMiddleware: Middleware {
    /// The hash algorithm for request bodies; nil adds no digest. Default SHA-256.
    public var algorithm: DigestAlgorithm?
    /// The algorithms requested from servers, in order of preference; at most nine count. If the list is empty, no
    /// digest is requested. Default SHA-256, SHA-512.
    public var wanted: [DigestAlgorithm]
    /// True if a body that can be read only once throws `.encoding` instead of being sent without a digest. Default
    /// false.
    public var refusesOneTimeBodies: Bool

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - algorithm: The hash algorithm for request bodies; nil adds no digest. Default SHA-256.
    ///   - wanted: The algorithms requested from servers, in order of preference. Default SHA-256, SHA-512.
    ///   - refusesOneTimeBodies: True to throw `.encoding` for a body that can be read only once. Default false.
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

    /// The value of `Want-Content-Digest`: 10 is the most preferred, 1 the least (RFC 9530 section 4).
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
