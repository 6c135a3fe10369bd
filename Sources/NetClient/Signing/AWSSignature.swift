internal import HTTPTypes
public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Signatures of AWS, version 4: the settings of one service in one region.
///
/// ``AWSSignatureMiddleware`` signs the requests of a client. This example creates a URL that anyone may use for 15
/// minutes:
///
///     let s3 = AWSSignature(service: "s3", region: "eu-central-1")
///     let keys = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "s3cret")
///     let request = try client.prepare(Request<Bytes>("bucket/film.mp4", serializer: .bytes))
///     let link = try await s3.presign(request, with: keys, at: Date(), expiresAfter: .seconds(900)).url
///     print(link.count)
public struct AWSSignature: Sendable, Hashable {
    /// The part of a body that a signature covers.
    public enum Payload: Sendable, Hashable {
        /// The hash of the body. A stream is read once to compute it before it is sent; a body that can be read only
        /// once throws `.encoding`.
        case hashed
        /// No part of the body, which S3 allows over TLS (`UNSIGNED-PAYLOAD`).
        case unsigned
    }

    /// The name of the service, such as `s3` or `execute-api`.
    public var service: String
    /// The region, such as `eu-central-1`.
    public var region: String
    /// The part of the body that is covered. Default: its hash. If a request already has an `x-amz-content-sha256`
    /// header, with a known hash or `UNSIGNED-PAYLOAD`, that value is signed.
    public var payload: Payload
    /// True to send `x-amz-content-sha256`. Default true for S3, which requires it, and if the payload isn't signed.
    public var sendsPayloadHash: Bool
    /// True to resolve `.`, `..` and empty segments in the signed path, and to encode it once more. Default false for
    /// S3, whose keys may have such segments, and true for every other service.
    public var normalizesPath: Bool
    /// True to encode the path once more. Default false for S3, and true for every other service.
    public var encodesPathTwice: Bool
    /// True to cover the session token. Default true; some services require it to be added afterward.
    public var coversSessionToken: Bool

    /// Creates the settings of a service. Omitted settings have their defaults.
    public init(service: String, region: String, payload: Payload = .hashed) {
        let isS3 = Self.isS3(service)
        self.service = service
        self.region = region
        self.payload = payload
        sendsPayloadHash = isS3 || payload == .unsigned
        normalizesPath = !isS3
        encodesPathTwice = !isS3
        coversSessionToken = true
    }

    /// Returns the request with `Authorization` and `x-amz-date`, and with the headers that the settings and
    /// credentials require.
    ///
    /// Covers all headers except those that may change in transit, such as `User-Agent`. Throws `.encoding` if a body
    /// that can be read only once has to be hashed, and `.invalidRequest` if a header can't contain the credentials.
    public func sign(
        _ request: PreparedRequest, with credentials: AWSCredentials, at date: Date
    ) async throws -> PreparedRequest {
        let time = AWSSigningTime(date)
        var request = request
        request.head.headerFields[.authorization] = nil
        request.head.headerFields[.amzDate] = time.text
        let token = try credentials.sessionToken.map { try Self.field(.amzSecurityToken, $0) }
        if coversSessionToken, let token { request.head.headerFields[fields: .amzSecurityToken] = [token] }
        let hash = try await payloadHash(of: request)
        if sendsPayloadHash { request.head.headerFields[.amzContentSHA256] = hash }
        let canonical = AWSCanonicalRequest(request, self, headers: nil, payloadHash: hash)
        let signature = try canonical.signature(credentials, time, self)
        let value =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope(time)), "
            + "SignedHeaders=\(canonical.signedHeaders), Signature=\(signature)"
        request.head.headerFields[fields: .authorization] = [try Self.field(.authorization, value)]
        if let token { request.head.headerFields[fields: .amzSecurityToken] = [token] }
        return request
    }

    /// Returns the request with a signature in its query. Its URL works without credentials until it expires, so keep
    /// it secret until then.
    ///
    /// Throws `.invalidRequest` for a lifetime below one second or above seven days.
    ///
    /// - Parameters:
    ///   - request: The request, whose body isn't covered with S3.
    ///   - credentials: The key that signs.
    ///   - date: The time at which the URL starts to work.
    ///   - lifetime: The time for which it works.
    ///   - headers: The headers that the signature covers in addition to `Host`; the sender must repeat them. Default
    ///     none.
    public func presign(
        _ request: PreparedRequest, with credentials: AWSCredentials, at date: Date, expiresAfter lifetime: Duration,
        covering headers: Set<HTTPField.Name> = []
    ) async throws -> PreparedRequest {
        guard lifetime >= .seconds(1), lifetime <= .seconds(7 * 86_400) else {
            throw NetError(
                .invalidRequest, phase: .preparing, message: "a signed URL must be valid for one second to seven days")
        }
        let time = AWSSigningTime(date)
        var request = request
        // With S3, the user of the URL may send any body.
        let hash = Self.isS3(service) ? "UNSIGNED-PAYLOAD" : try await payloadHash(of: request)
        let signed = AWSCanonicalRequest(request, self, headers: headers, payloadHash: hash).signedHeaders
        var items = [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
            ("X-Amz-Credential", "\(credentials.accessKeyID)/\(scope(time))"),
            ("X-Amz-Date", time.text), ("X-Amz-SignedHeaders", signed),
            ("X-Amz-Expires", "\(lifetime.components.seconds)"),
        ]
        let token = credentials.sessionToken.map { ("X-Amz-Security-Token", $0) }
        if coversSessionToken, let token { items.append(token) }
        Self.append(items, to: &request)
        let signature = try AWSCanonicalRequest(request, self, headers: headers, payloadHash: hash)
            .signature(credentials, time, self)
        if !coversSessionToken, let token { Self.append([token], to: &request) }
        Self.append([("X-Amz-Signature", signature)], to: &request)
        return request
    }

    private static func isS3(_ service: String) -> Bool {
        ["s3", "s3express", "s3-object-lambda", "s3-outposts"].contains(service)
    }

    func scope(_ time: AWSSigningTime) -> String { "\(time.day)/\(region)/\(service)/aws4_request" }

    private func payloadHash(of request: PreparedRequest) async throws -> String {
        if let known = request.head.headerFields[.amzContentSHA256] { return known }
        if payload == .unsigned { return "UNSIGNED-PAYLOAD" }
        return try await request.bodyHash()?.hexadecimal ?? AWSCanonicalRequest.emptyHash
    }

    private static func append(_ items: [(String, String)], to request: inout PreparedRequest) {
        var path = request.head.path ?? "/"
        for (name, value) in items {
            path +=
                (path.contains("?") ? path.hasSuffix("?") ? "" : "&" : "?") + name + "=" + PercentEncoding.encode(value)
        }
        request.head.path = path
    }

    private static func field(_ name: HTTPField.Name, _ value: String) throws(NetError) -> HTTPField {
        try Credential(name, value).line
    }
}

/// The time of a signature in the two forms that it needs.
struct AWSSigningTime {
    /// `20150830T123600Z`.
    let text: String
    /// `20150830`.
    var day: Substring { text.prefix(8) }

    init(_ date: Date) {
        let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        text = RFC3339.format(whole).filter { $0 != "-" && $0 != ":" }
    }
}

extension HTTPField.Name {
    static let amzDate = known("X-Amz-Date")
    static let amzSecurityToken = known("X-Amz-Security-Token")
    static let amzContentSHA256 = known("X-Amz-Content-Sha256")
}
