#if os(Linux)
internal import HTTPTypes
package import NetCore
internal import Synchronization

/// An HTTP engine on libcurl: one event loop with its connections and calls.
///
/// Releasing the last reference ends the loop's thread. Bodies that are still being read keep a reference.
package final class CurlEngine: Sendable {
    private let loop: EventLoop
    private let counters = EngineCounters()
    private let configuration: EngineConfiguration

    /// Starts an engine; throws if the system has no file descriptors, memory or threads left.
    package init(configuration: EngineConfiguration) throws(NetError) {
        self.configuration = configuration
        loop = try EventLoop(configuration: configuration, counters: counters)
        if let scope = ResourceScope.current {
            scope.watch("transfers") { [counters] in counters.liveTransfers }
            scope.watch("WebSockets") { [counters] in counters.openStreams.load(ordering: .relaxed) }
        }
    }

    deinit { loop.requestStop() }

    /// An executor that runs tasks on the loop's own thread.
    package var executor: any TaskExecutor { loop }

    /// A snapshot of the engine's counters.
    package var statistics: EngineStatistics {
        EngineStatistics(
            liveTransfers: counters.liveTransfers,
            queuedTransfers: counters.queued.load(ordering: .relaxed),
            handles: counters.handles.load(ordering: .relaxed),
            openedConnections: counters.connections.load(ordering: .relaxed),
            startedTransfers: counters.started.load(ordering: .relaxed),
            openStreams: counters.openStreams.load(ordering: .relaxed))
    }

    /// Returns the connections by origin.
    package func connections() async -> [HostConnections] {
        await withUnsafeContinuation { loop.post(.count(ConnectionCount($0))) }
    }

    /// Drops idle connections and looked-up names, because the network has changed. Running transfers continue.
    package func renewConnections() { loop.post(.renewConnections) }

    /// Ends every transfer and the loop's thread, and waits until both have ended.
    package func shutdown() async {
        await loop.stop()
    }

    /// Sends one attempt; see ``HTTPTransport/execute(_:context:)``.
    package func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        // Copied once: each access through the request costs four atomic operations.
        let head = request.head
        let options = options(for: request, head, context)
        if let refusal = refusal(of: request, head, options) {
            throw context.error(.unsupported, phase: .preparing, message: refusal)
        }
        let isStreamed = context.delivery == .streamed
        let stream = isStreamed ? StreamState(highMark: configuration.streamBuffer) : nil
        let transfer = Transfer(
            request: request, context: context, options: options,
            upload: upload(for: request), stream: stream,
            window: ReceiveWindow(bytes: configuration.receiveWindow), headLimits: configuration.headLimits)
        counters.started.add(1, ordering: .relaxed)
        context.call.onEnd { [loop] in loop.post(.cancel(transfer)) }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                transfer.continuation = continuation
                loop.post(.start(transfer))
            }
        } onCancel: {
            loop.post(.cancel(transfer))
        }
        switch transfer.result.take() {
        case .collected(let metrics):
            return transfer.takeResponse(metrics, givingBackTo: loop.responseBuffers)
        case .streaming(let head):
            guard let stream else { break }
            return StreamedResponse(
                head: head,
                body: ResponseBody(source: TransferBody(transfer: transfer, stream: stream, engine: self, loop: loop)))
        case .failed(let error):
            if transfer.sending > 0 { request.options.altSvc?.failedAfterSending() }
            throw error
        case nil:
            break
        }
        throw context.error(.unknown, phase: .queued, message: "the network loop is not running")
    }

    /// Opens a raw connection. Its events are reported to `handler` on the loop's thread.
    package func open(
        _ target: ByteStream.Target, context: CallContext, handler: any ByteStreamHandler
    ) -> ByteStream {
        hideProxyCredentials(in: context)
        let stream = ByteStream(target: target, context: context, handler: handler, loop: loop)
        loop.post(.open(stream))
        return stream
    }

    /// Returns the reason why libcurl can't send the request; nil if it can. libcurl itself would wait for a body that
    /// never arrives, or omit part of the request.
    private func refusal(of request: PreparedRequest, _ head: HTTPRequest, _ options: EasyOptions) -> String? {
        if head.headerFields.contains(.proxyAuthorization),
            options.route.proxy == nil || !options.route.forwards(isPlain: options.isPlain)
        {
            let way = options.route.proxy == nil ? "as there is no proxy" : "through the tunnel"
            return
                "Proxy-Authorization would reach the server, \(way); set the proxy's user and password in ProxyServer, "
                + "so that only the proxy receives them"
        }
        if configuration.version == .http2PriorKnowledge, request.announcesTrailers {
            return
                "libcurl sends no trailers over HTTP/2, and the transport uses nothing else; omit them, or set its "
                + "version to .http2 or .http1"
        }
        switch head.method {
        case .head:
            if case .none = request.body { return nil }
            return "libcurl sends no body with HEAD, and no server expects one (RFC 9110 section 9.3.2); omit it"
        case .connect:
            return "CONNECT opens a tunnel and has no response to return; set a proxy in the transport's configuration"
        default:
            return nil
        }
    }

    /// A proxy may quote its own credentials in a response.
    private func hideProxyCredentials(in context: CallContext) {
        for credential in configuration.connection.routes.proxyCredentials { context.hide(credential: credential) }
    }

    private func options(for request: PreparedRequest, _ head: HTTPRequest, _ context: CallContext) -> EasyOptions {
        let connect = context.timeouts.connectNanoseconds
        // 0 would select libcurl's default of five minutes, so no limit is the largest value that libcurl accepts.
        let milliseconds = connect == .max ? UInt64(Int32.max) : min(connect / 1_000_000, UInt64(Int32.max))
        let timeout = max(1, Int(milliseconds))
        let route = configuration.connection.routes.route(for: head)
        hideProxyCredentials(in: context)
        // Few requests have an alternative; the other requests avoid the copy.
        guard let offer = request.options.altSvc,
            let alternative = configuration.connection.alternative(
                of: offer, for: head, by: route, needsHTTP1: request.needsHTTP1 || prefersHTTP1(request, head))
        else { return options(for: request, head, by: route, connectTimeout: timeout) }
        offer.use(alternative.service)
        var (head, way) = (head, route)
        way.alternative = alternative
        head.headerFields[.altUsed] = alternative.used
        return options(
            for: request, head, by: way,
            connectTimeout: min(timeout, max(1, offer.connectTimeout.inMillisecondsRoundedUp)))
    }

    private func options(
        for request: PreparedRequest, _ head: HTTPRequest, by route: Route, connectTimeout: Int
    ) -> EasyOptions {
        EasyOptions(
            head: head, method: method(for: request, head), route: route, connectTimeout: connectTimeout,
            expectTimeout: expectTimeout(for: request, head), sendsTrailers: request.announcesTrailers,
            needsHTTP1: request.needsHTTP1, prefersHTTP1: prefersHTTP1(request, head))
    }

    /// The largest body that is sent over HTTP/2 if HTTP/1.1 is possible: as much as a server allows before it has
    /// responded, unless it says otherwise (RFC 9113 section 6.9.2). With libcurl 7.88, 60 of 60 refusals of larger bodies
    /// were lost, and with later versions those of HAProxy; over HTTP/1.1, 18 of 318.
    private static let largestBody: Int64 = 65_535

    /// True if libcurl would lose the response to a body of this size if it arrives early: a refusal.
    private func prefersHTTP1(_ request: PreparedRequest, _ head: HTTPRequest) -> Bool {
        guard configuration.version == .http2OverTLS, CurlFeatures.losesEarlyResponses, head.scheme == "https" else {
            return false
        }
        switch request.body {
        case .none: return false
        case .bytes(let bytes): return bytes.count > Self.largestBody
        case .stream(let length?, _, _): return length > Self.largestBody
        // It may be small, and some streams need HTTP/2, such as those of gRPC.
        case .stream(nil, _, _): return false
        }
    }

    private func method(for request: PreparedRequest, _ head: HTTPRequest) -> EasyOptions.Method {
        let name = head.method.rawValue
        switch request.body {
        case .none:
            switch name {
            case "GET": return .bodyless(name)
            case "HEAD": return .head
            // Methods that usually have a body send `Content-Length: 0` without one (RFC 9110 section 8.6).
            case "POST", "PUT", "PATCH": return .bytes(name)
            default: return .bodyless(name)
            }
        case .bytes: return .bytes(name)
        case .stream(let length, _, _): return .upload(name, length: length ?? -1)
        }
    }

    /// Returns how long the body waits for `100 Continue`, in milliseconds; 0 for no wait. If the caller set the header
    /// instead of the option, it's one second: RFC 9110 section 10.1.1 leaves the duration to the client.
    private func expectTimeout(for request: PreparedRequest, _ head: HTTPRequest) -> Int {
        if case .none = request.body { return 0 }
        if let wait = request.options.expectContinue {
            return min(max(1, wait.inMillisecondsRoundedUp), Int(Int32.max))
        }
        return head.headerFields[.expect]?.lowercased() == "100-continue" ? 1000 : 0
    }

    private func upload(for request: PreparedRequest) -> Upload? {
        guard case .stream(let length, let isReplayable, let make) = request.body else { return nil }
        return Upload(length: length, isReplayable: isReplayable, make: make)
    }
}

extension PreparedRequest {
    /// True if HTTP/1.1 must carry the request.
    fileprivate var needsHTTP1: Bool { announcesTrailers || options.usesOwnConnection }
}
#endif
