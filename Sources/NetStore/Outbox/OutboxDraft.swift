internal import HTTPTypes
internal import NetCore
internal import NetCrypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A request in the form in which an outbox stores it, without credentials.
///
/// A request relative to the client's base URL stays relative, so that any client can send it. A request with its own
/// base URL, server or absolute URL is stored with its absolute URL.
struct OutboxDraft: Sendable {
    let method: HTTPRequest.Method
    /// The path and query, relative to the base URL of the sending client, or the whole URL.
    let target: String
    let isAbsolute: Bool
    let headers: HTTPFields
    /// Nil if there is no body.
    let body: Bytes?
    let accepted: AcceptedStatuses
    let metadata: RequestMetadata
    let sendsCredentialsToOtherOrigins: Bool
    /// The caller's key; nil if there is none.
    let idempotencyKey: String?
    let redaction: RedactionPolicy
    /// The user that the item belongs to; nil for an item of any sender.
    let owner: SealedNames?

    /// The number of bytes that count toward the outbox's size limit.
    var size: Int {
        (body?.count ?? 0) + target.utf8.count
            + headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
    }

    /// The base URL for preparing relative requests. Its host can't exist (RFC 6761 section 6.4).
    private static let placeholder: BaseURL = "https://outbox.invalid"

    /// Headers that are treated as credentials regardless of the redaction policy.
    private static let credentials: Set<String> = ["authorization", "proxy-authorization", "cookie", "cookie2"]

    /// Prepares a declared request and keeps the parts that can be stored.
    static func make<R: APIRequest>(
        _ request: R, configuration: Outbox.Configuration
    ) async throws(OutboxError) -> OutboxDraft {
        let builder = RequestBuilder(baseURL: placeholder, defaultHeaders: [:], coding: configuration.coding)
        let prepared: PreparedRequest
        do throws(NetError) {
            prepared = try builder.prepare(request)
        } catch {
            throw invalid(error)
        }
        guard prepared.isSameOrigin(as: placeholder) else {
            return try await make(prepared, configuration: configuration)
        }
        guard request.options.server == nil, request.options.baseURL == nil, request.options.absoluteURL == nil else {
            throw OutboxError(
                .invalidRequest,
                message:
                    "the request's server is relative to the client's base URL, which an outbox doesn't know; give it "
                    + "an absolute URL")
        }
        // An empty path means the base URL itself, with its trailing slash.
        let isBase = request.path.encoded.isEmpty && request.options.apiVersion == nil
        let target = (prepared.head.path ?? "").dropFirst()
        return try await OutboxDraft(
            prepared, target: isBase ? String(target) : "/" + target, isAbsolute: false, configuration)
    }

    /// Keeps the parts of a prepared request that can be stored.
    static func make(
        _ prepared: PreparedRequest, configuration: Outbox.Configuration
    ) async throws(OutboxError) -> OutboxDraft {
        do throws(NetError) {
            _ = try BaseURL(prepared.url)
        } catch {
            throw invalid(error)
        }
        return try await OutboxDraft(prepared, target: prepared.url, isAbsolute: true, configuration)
    }

    private init(
        _ prepared: PreparedRequest, target: String, isAbsolute: Bool, _ configuration: Outbox.Configuration
    ) async throws(OutboxError) {
        let options = prepared.options
        try Self.checkStorable(options)
        redaction = options.redaction ?? configuration.redaction
        guard redaction.redact(url: target) == target else {
            throw OutboxError(
                .credentialInURL,
                message:
                    "the URL \(redaction.redact(url: target)) contains a credential, which an outbox doesn't store; "
                    + "send it as a header that the client adds")
        }
        method = prepared.head.method
        self.target = target
        self.isAbsolute = isAbsolute
        var kept = HTTPFields()
        for field in prepared.head.headerFields where field.name != .idempotencyKey {
            let isSecret = Self.credentials.contains(field.name.canonicalName) || redaction.isSensitive(field.name)
            if !isSecret { kept.append(field) }
        }
        headers = kept
        let key = prepared.head.headerFields[.idempotencyKey] ?? ""
        owner = try options.identity.flatMap { (identity) throws(OutboxError) in
            guard identity.isLasting else {
                throw OutboxError(
                    .invalidRequest,
                    message:
                        "the request's identity exists only in this process, so an outbox can't keep it; name it, as in "
                        + "options.identity = .named(\"ann\"), or omit it")
            }
            return SealedNames(identity.names, random: configuration.random)
        }
        idempotencyKey = key.isEmpty ? nil : key
        accepted = AcceptedStatuses(options.validation)
        metadata = options.metadata
        sendsCredentialsToOtherOrigins = options.sendsCredentialsToOtherOrigins
        body = try await Self.bytes(of: prepared.body, limit: max(1, configuration.maximumBodyBytes))
    }

    /// Throws if the request depends on something that exists only in memory.
    private static func checkStorable(_ options: RequestOptions) throws(OutboxError) {
        let problem: String? =
            if !options.middleware.isEmpty || options.replacesMiddleware {
                "its own middleware"
            } else if options.retryDecision != nil {
                "its own retry decision"
            } else if options.onRedirect != nil || options.onInterimResponse != nil || options.progress != nil {
                "a closure that observes it"
            } else if options.webSocket != nil {
                "a WebSocket to open"
            } else {
                nil
            }
        guard let problem else { return }
        throw OutboxError(
            .invalidRequest,
            message:
                "the request has \(problem), which an outbox can't store; omit it, or give it to the client that "
                + "sends"
        )
    }

    private static func bytes(of content: RequestBody.Content, limit: Int) async throws(OutboxError) -> Bytes? {
        let tooLarge = OutboxError(
            .bodyTooLarge, message: "the body has more than \(limit) bytes, the outbox's maximumBodyBytes")
        switch content {
        case .none: return nil
        case .bytes(let bytes):
            if bytes.count > limit { throw tooLarge }
            return bytes
        case .stream(let length, let isReplayable, let make):
            guard isReplayable else {
                throw OutboxError(
                    .bodyNotReplayable,
                    message: "the body is a stream that can be read only once; give it as bytes, or as a file")
            }
            if let length, length > limit { throw tooLarge }
            do {
                return try await read(make(), limit: limit, tooLarge)
            } catch {
                throw (error as? OutboxError)
                    ?? OutboxError(.invalidRequest, message: "the body can't be read: \(ErrorSummary.describe(error))")
            }
        }
    }

    private static func read(_ source: any BodySource, limit: Int, _ tooLarge: OutboxError) async throws -> Bytes {
        var chunks: [Bytes] = []
        var count = 0
        while let chunk = try await source.next() {
            count += chunk.count
            guard count <= limit else {
                source.cancel()
                throw tooLarge
            }
            chunks.append(chunk)
        }
        guard source.trailers == nil else {
            throw OutboxError(
                .invalidRequest, message: "the body has trailers, which an outbox can't store; omit them")
        }
        return Bytes.join(chunks, count: count)
    }

    private static func invalid(_ error: NetError) -> OutboxError {
        OutboxError(.invalidRequest, message: error.message)
    }
}
