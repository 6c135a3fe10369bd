#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import HTTPTypes
public import NetCore

#if canImport(Darwin)
public import Foundation
#else
internal import Foundation
#endif

/// Sends requests with URLSession, on Apple platforms.
///
/// Redirects, cookies, caches and stored credentials of URLSession are disabled: a client's middleware handles them.
/// Bodies are streamed in both directions; a slow consumer suspends the task. docs/transports.md lists the
/// differences from `CurlTransport`: above all, URLSession has no separate connect timeout, so `Timeouts.firstByte`
/// includes connecting, and several values of one header arrive joined.
///
/// ```swift
/// let client = HTTPClient(baseURL: "https://api.example.com", transport: URLSessionTransport())
/// ```
///
/// Once the last client that uses the transport is released, the session ends as soon as its calls have ended.
public struct URLSessionTransport: HTTPTransport {
    private let core: URLSessionCore
    private let identity: ConnectionIdentity?

    /// Creates the session.
    ///
    /// - Parameters:
    ///   - configuration: TLS settings and limits.
    ///   - customize: Changes the session's own settings first, such as proxies, cellular access or protocol classes.
    ///     Cookies, caches, credentials and timeouts are set afterwards.
    public init(
        configuration: Configuration = Configuration(), customize: (URLSessionConfiguration) -> Void = { _ in }
    ) {
        let settings = URLSessionConfiguration.ephemeral
        customize(settings)
        // Such headers may identify a user, and no cache sees them.
        let hasHeaders = settings.httpAdditionalHeaders?.isEmpty == false
        identity =
            hasHeaders
            ? ConnectionIdentity(.everywhere) : ConnectionIdentity(certificate: configuration.tls.identity != nil)
        core = URLSessionCore(configuration, settings)
    }

    public func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        try NetworkAccess.check(request.head.authority, context: context)
        return try await core.begin(request, context).response()
    }

    /// The codings that URLSession decodes itself.
    public var contentCodings: [String] { ["gzip", "deflate", "br"] }

    /// The transport's own identity for requests with headers that `customize` has added to all of them; nil if there
    /// are none.
    public var connectionIdentity: (any IdentitySource)? { identity }

    public func shutdown() async { core.shutdown() }

    /// The number of tasks that have begun and not ended.
    public var liveTransfers: Int { core.router.count }
}

extension URLSessionTransport: CustomReflectable {
    /// Shows only the number of tasks, since the session's settings may contain proxy passwords.
    public var customMirror: Mirror { Mirror(self, children: ["liveTransfers": liveTransfers], displayStyle: .struct) }
}

/// Owns the session, which lives as long as a transport or a task uses it.
final class URLSessionCore: Sendable {
    let router: URLSessionRouter
    private let session: URLSession
    private let configuration: URLSessionTransport.Configuration

    init(_ configuration: URLSessionTransport.Configuration, _ settings: URLSessionConfiguration) {
        self.configuration = configuration
        settings.httpCookieStorage = nil
        settings.httpShouldSetCookies = false
        settings.httpCookieAcceptPolicy = .never
        settings.urlCache = nil
        settings.requestCachePolicy = .reloadIgnoringLocalCacheData
        settings.urlCredentialStorage = nil
        settings.timeoutIntervalForRequest = URLRequest.longestTimeout
        settings.timeoutIntervalForResource = URLRequest.longestTimeout
        #if canImport(Darwin)
        // Never compiled here.
        settings.takeVersions(of: configuration.tls)
        #endif
        settings.httpMaximumConnectionsPerHost = max(1, configuration.maximumConnectionsPerHost)
        router = URLSessionRouter(configuration.tls)
        // The callbacks run one after the other, so bytes keep their order.
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: settings, delegate: router, delegateQueue: queue)
        if let scope = ResourceScope.current {
            scope.watch("transfers") { [weak router] in router?.count ?? 0 }
        }
    }

    deinit { session.finishTasksAndInvalidate() }

    func begin(_ request: PreparedRequest, _ context: CallContext) throws(NetError) -> URLSessionExchange {
        if Task.isCancelled {
            throw context.error(.cancelled, phase: .queued, message: "the call was cancelled")
        }
        if let setting = configuration.unsupported {
            throw context.error(
                .unsupported, phase: .preparing,
                message: "\(setting): URLSession has no such setting here; omit it")
        }
        if request.announcesTrailers {
            throw context.error(
                .unsupported, phase: .preparing,
                message: "URLSession sends no trailers; omit them, or send them as headers")
        }
        var prepared: URLRequest
        do {
            prepared = try request.bodylessURLRequest()
        } catch {
            throw error.filling(call: context.summary, elapsed: context.elapsed)
        }
        prepared.timeoutInterval = URLRequest.longestTimeout
        prepared.cachePolicy = .reloadIgnoringLocalCacheData
        prepared.httpShouldHandleCookies = false
        if !request.options.decodesContent, request.head.headerFields[.acceptEncoding] == nil {
            // URLSession decodes every coding it knows, even if the app requested it: so request none.
            prepared.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        let exchange = URLSessionExchange(
            request: request, context: context, streamBuffer: max(64 << 10, configuration.streamBuffer))
        let upload = body(of: request, into: &prepared, for: exchange)
        let complete = prepared
        guard let task = router.register(exchange, { session.dataTask(with: complete) }) else {
            upload?.stop()
            throw context.error(.shutdown, phase: .preparing, message: "the transport was shut down")
        }
        exchange.begin(task, upload: upload)
        return exchange
    }

    private func body(
        of request: PreparedRequest, into prepared: inout URLRequest, for exchange: URLSessionExchange
    ) -> URLSessionUpload? {
        switch request.body {
        case .none:
            // Methods that usually have a body announce an empty one (RFC 9110 section 8.6).
            if ["POST", "PUT", "PATCH"].contains(request.head.method.rawValue) { prepared.httpBody = Data() }
            return nil
        case .bytes(let bytes):
            prepared.httpBody = bytes.data
            return nil
        case .stream(let length, _, let make):
            #if canImport(Darwin)
            // Never compiled here: Foundation on Linux sends every stream chunked, regardless of the header.
            if let length { prepared.setValue("\(length)", forHTTPHeaderField: "Content-Length") }
            #endif
            let upload = URLSessionUpload(length: length, make: make) { [weak exchange] event in
                switch event {
                case .starved(let isStarved): exchange?.producer(isStarved: isStarved)
                case .finished: exchange?.producerFinished()
                case .failed(let error): exchange?.fail(error)
                }
            }
            prepared.httpBodyStream = upload.open()
            return upload
        }
    }

    func shutdown() {
        for exchange in router.close() {
            exchange.fail(NetError(.shutdown, phase: .waiting, message: "the transport was shut down"))
        }
        session.invalidateAndCancel()
    }
}
#endif
