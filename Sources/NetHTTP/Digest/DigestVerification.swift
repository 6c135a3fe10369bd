internal import HTTPTypes
internal import NetClient
internal import NetCore

/// Compares a body with the digests in its response (RFC 9530), before its content codings are removed.
struct DigestVerification: Sendable {
    /// The digests in the head, for supported algorithms only.
    private let announced: [(field: HTTPField.Name, digests: [DigestAlgorithm: Bytes])]
    /// True if the trailers may contain a digest.
    private let mayComeLater: Bool

    /// Creates a verification; nil if there is nothing to compare.
    init?(_ head: ResponseHead, to request: PreparedRequest) {
        // These responses have the headers of a body, but no body.
        guard request.head.method != .head, head.status != .notModified else { return nil }
        var headers: [HTTPField.Name] = [.contentDigest]
        // Only a whole representation can be compared with its digest.
        if head.status == .ok, request.head.method == .get { headers.append(.reprDigest) }
        announced = headers.compactMap { name in
            let digests = head[name].map(Self.known) ?? [:]
            return digests.isEmpty ? nil : (name, digests)
        }
        mayComeLater =
            head[.trailer].map { $0.lowercased().contains(HTTPField.Name.contentDigest.canonicalName) } ?? false
        if announced.isEmpty && !mayComeLater { return nil }
    }

    /// Returns the response with verification of its body: a complete body is verified immediately, any other while
    /// it's read. Throws `.digestMismatch`.
    static func verify(
        _ response: StreamedResponse, to request: PreparedRequest, context: CallContext
    ) throws(NetError) -> StreamedResponse {
        // A discarded body has nothing left to compare.
        guard response.body.cut == nil, let verification = DigestVerification(response.head, to: request) else {
            return response
        }
        // Following a redirect doesn't depend on its body, which is compared only if it's read.
        let isRedirect = RedirectDecision.statuses.contains(response.status.code)
        guard !isRedirect, let whole = response.body.whole else {
            let source = CheckedBodySource(response.body, Check(verification))
            return StreamedResponse(head: response.head, body: ResponseBody(source: source))
        }
        var check = Check(verification)
        check.update(whole)
        if let problem = check.problem(trailers: response.body.trailers) {
            throw problem.filling(call: context.summary, elapsed: context.elapsed)
        }
        return response
    }

    /// The comparison of one body.
    private struct Check: BodyCheck, ~Copyable {
        private let verification: DigestVerification
        private var hashes: BodyHashes

        init(_ verification: DigestVerification) {
            self.verification = verification
            hashes = BodyHashes(verification.algorithms)
        }

        mutating func update(_ chunk: Bytes) { hashes.update(chunk) }

        mutating func problem(trailers: HTTPFields?) -> NetError? {
            verification.mismatch(of: hashes.finish(), trailers: trailers)
        }
    }

    /// The algorithms to compute.
    private var algorithms: Set<DigestAlgorithm> {
        mayComeLater ? [.sha256, .sha512] : Set(announced.flatMap(\.digests.keys))
    }

    /// Returns `.digestMismatch` if a digest differs; nil if all match.
    private func mismatch(of computed: [DigestAlgorithm: Bytes], trailers: HTTPFields?) -> NetError? {
        var all = announced
        if mayComeLater, let late = trailers?[.contentDigest] { all.append((.contentDigest, Self.known(late))) }
        for (field, digests) in all {
            for (algorithm, digest) in digests where computed[algorithm] != digest {
                return NetError(
                    .digestMismatch, phase: .receiving,
                    message:
                        "the body doesn't match the \(algorithm.rawValue) digest in its \(field.rawName): it was "
                        + "changed in transit, or the digest is wrong")
            }
        }
        return nil
    }

    private static func known(_ text: String) -> [DigestAlgorithm: Bytes] {
        HTTPFields.digests(text).filter { $0.key.function != nil }
    }
}
