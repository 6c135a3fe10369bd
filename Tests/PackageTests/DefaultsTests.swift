import HTTPTypes
import NetCore
import NetHTTP
import NetSocket
import NetTestServer
import NetTesting
import Testing

/// docs/defaults.md agrees with the code.
@Suite struct DefaultsTests {
    /// Returns the rows of the page, by setting.
    private func documented() throws -> [String: String] {
        var rows: [String: String] = [:]
        for line in try PackageFolder.text("docs/defaults.md").split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimming(while: \.isWhitespace) }
            guard cells.count == 3, cells[0].hasPrefix("`") else { continue }
            rows[cells[0].trimming { $0 == "`" }] = cells[1].trimming { $0 == "`" }
        }
        return rows
    }

    @Test func thePageSaysWhatTheCodeDoes() throws {
        var documented = try documented()
        #if !Server
        documented = documented.filter { !$0.key.hasPrefix("TestServer.") && !$0.key.isOfSocketServer }
        #endif
        #if !os(Linux)
        documented = documented.filter { !$0.key.hasPrefix("Curl") }
        #endif
        // The rows of that transport and of that module are compared in their own tests.
        documented = documented.filter { !$0.key.hasPrefix("URLSession") && !$0.key.hasPrefix("OpenAPI") }
        #if !ServiceLifecycle
        documented["HTTPClient.serviceGrace"] = nil
        #endif
        #if !Metrics
        documented["SwiftMetricsSink.seriesLimit"] = nil
        #endif
        #if Server
        let servers = SocketServerDefaults.rows
        #else
        let servers: [String: String] = [:]
        #endif
        let parts = [
            servers, try CoderDefaults.rows(), Self.requests, Self.caches, Self.rest, Self.observability, Self.streams,
            Self.said,
            Self.limits,
        ]
        let actual = parts.reduce(into: [String: String]()) { $0.merge($1) { _, new in new } }
        #expect(Set(documented.keys) == Set(actual.keys))
        for (setting, value) in actual {
            #expect(documented[setting] == value, "\(setting)")
        }
    }

    private static var requests: [String: String] {
        let options = RequestOptions()
        let accepted = (100..<600).filter { options.validation.isAcceptable($0) }
        let failed = NetError.FailedResponse(
            head: ResponseHead(status: .badRequest), body: Bytes(repeatElement(0, count: 1 << 20)))
        let client = HTTPClient.Configuration()
        let fields = client.headers.map { "\($0.name.rawName): \($0.value)" }.joined(separator: ", ")
        return [
            "Timeouts.connect": text(client.timeouts.connect), "Timeouts.firstByte": text(client.timeouts.firstByte),
            "Timeouts.stall": text(client.timeouts.stall), "Timeouts.total": text(client.timeouts.total),
            "RequestOptions.maximumResponseBytes": bytes(options.maximumResponseBytes),
            "RequestOptions.decodesContent": "\(options.decodesContent)",
            "RequestOptions.expectContinue": text(options.expectContinue),
            "RequestOptions.verifiesDigests": "\(options.verifiesDigests)",
            "RequestOptions.validation": "\(accepted.first ?? 0) to \(accepted.last ?? 0)",
            "RequestOptions.sendsCredentialsToOtherOrigins": "\(options.sendsCredentialsToOtherOrigins)",
            "NetError.FailedResponse.body": bytes(failed.body.count),
            "RejectedResponse.streamedBytes": bytes(RejectedResponse.streamedBytes),
            "RejectedResponse.discardedBytes": bytes(RejectedResponse.discardedBytes),
            "HTTPClient.Configuration.headers": fields,
            "HTTPClient.Configuration.operationServers": client.operationServers.isDeclared ? "declared" : "other",
            "HTTPClient.Configuration.modifiers": client.modifiers.isEmpty ? "none" : "some",
            "HTTPClient.Configuration.redirects": client.redirects.limit.map { "follow \($0)" } ?? "none",
            "RedirectPolicy.allowsDowngrade": "\(client.redirects.allowsDowngrade)",
            "HTTPClient.Configuration.middleware": client.middleware.isEmpty ? "none" : "some",
            "RedactionPolicy.placeholder": client.redaction.placeholder,
            "RedactionPolicy.hidesRecognizedValues": "\(client.redaction.hidesRecognizedValues)",
            "RedactionPolicy.pathRules": client.redaction.pathRules.isEmpty ? "none" : "some",
        ]
    }

    private static var caches: [String: String] {
        let cache = CacheMiddleware.Configuration()
        let (memory, disk) = (MemoryCacheStore(), DiskCacheStore(folder: ""))
        return [
            "RequestOptions.cachePolicy": RequestOptions().cachePolicy == .default ? "default" : "another",
            "CacheMiddleware.Configuration.isShared": "\(cache.isShared)",
            "CacheMiddleware.Configuration.defaultLifetime": text(cache.defaultLifetime),
            "CacheMiddleware.Configuration.maximumBodyBytes": bytes(Int(cache.maximumBodyBytes)),
            "CacheMiddleware.Configuration.addsCacheStatus": "\(cache.addsCacheStatus)",
            "CacheMiddleware.heuristicFraction": "\(CacheMiddleware.heuristicFraction)",
            "CacheMiddleware.heuristicMaximum": text(CacheMiddleware.heuristicMaximum),
            "CacheMiddleware.maximumVariants": "\(CacheMiddleware.maximumVariants)",
            "MemoryCacheStore.maximumBytes": bytes(Int(memory.maximumBytes)),
            "MemoryCacheStore.maximumEntryBytes": bytes(Int(memory.maximumEntryBytes)),
            "DiskCacheStore.maximumBytes": bytes(Int(disk.maximumBytes)),
            "DiskCacheStore.maximumEntryBytes": bytes(Int(disk.maximumEntryBytes)),
            "DiskCacheStore.maximumSessionBytes": bytes(Int(DiskCacheStore.maximumSessionBytes)),
            "CoalescingMiddleware.maximumBodyBytes": bytes(CoalescingMiddleware().maximumBodyBytes),
        ]
    }

    private static var observability: [String: String] {
        let logging = LoggingMiddleware()
        var rows = [
            "ActivityBuffering.standard": "\(ActivityBuffering.standard)",
            "LoggingMiddleware.maximumTextBytes": bytes(LoggingMiddleware.maximumTextBytes),
            "LoggingMiddleware.level": "\(logging.level)", "LoggingMiddleware.detail": "\(logging.detail)",
            "MetricsListener.labelsServer": "\(MetricsListener(PrometheusMetrics()).labelsServer)",
            "PrometheusMetrics.seriesLimit": "\(PrometheusMetrics.seriesLimit)",
        ]
        #if Metrics
        rows["SwiftMetricsSink.seriesLimit"] = "\(SwiftMetricsSink.seriesLimit)"
        #endif
        #if ServiceLifecycle
        rows["HTTPClient.serviceGrace"] = text(HTTPClient.serviceGrace)
        #endif
        return rows
    }

    private static var streams: [String: String] {
        let events = EventSource.Configuration()
        let compression = CompressionMiddleware()
        let digests = ContentDigestMiddleware()
        return [
            "JSONCoding.maximumDepth": "\(JSONCoding.maximumDepth)",
            "ProgressObserver.interval": text(ProgressObserver { _ in }.interval),
            "StructuredField.maximumBytes": bytes(StructuredField.maximumBytes),
            "CompressionMiddleware.coding": compression.coding.rawValue,
            "CompressionMiddleware.minimumBytes": bytes(compression.minimumBytes),
            "CompressionMiddleware.level": compression.level.map { "\($0)" } ?? "the coding's",
            "ContentDigestMiddleware.algorithm": digests.algorithm?.rawValue ?? "none",
            "ContentDigestMiddleware.wanted": digests.wanted.map(\.rawValue).joined(separator: ", "),
            "ContentDigestMiddleware.refusesOneTimeBodies": "\(digests.refusesOneTimeBodies)",
            "EventSource.Configuration.reconnectionTime": text(events.reconnectionTime),
            "EventSource.Configuration.maximumReconnectionTime": text(events.maximumReconnectionTime),
            "EventSource.Configuration.reconnect.backoff": text(events.reconnect.backoff),
            "EventSource.Configuration.reconnect.maximumAttempts": events.reconnect.maximumAttempts.map { "\($0)" }
                ?? "none",
            "EventSource.Configuration.reconnect.statuses": text(events.reconnect.statuses),
            "EventSource.Configuration.reconnect.maximumRetryAfter": text(events.reconnect.maximumRetryAfter),
            "EventSource.Configuration.idleTimeout": text(events.idleTimeout),
            "EventSource.Configuration.maximumEventBytes": bytes(events.maximumEventBytes),
        ]
    }

    private static var said: [String: String] {
        let digest = DigestMiddleware(user: "", password: "")
        let traces = TracePropagationMiddleware()
        let pages = HTTPClient(configuration: .init(), transport: MockTransport([]))
            .pages(Request<String>("", serializer: .string), by: .link())
        return [
            "AuthChallenge.maximumBytes": bytes(AuthChallenge.maximumBytes),
            "AuthChallenge.maximumParameters": "\(AuthChallenge.maximumParameters)",
            "DigestMiddleware.minimumAlgorithm": digest.minimumAlgorithm.name,
            "DigestMiddleware.prefersIntegrity": "\(digest.prefersIntegrity)",
            "TracePropagationMiddleware.replacesExistingHeaders": "\(traces.replacesExistingHeaders)",
            "TracePropagationMiddleware.sendsBaggage": "\(traces.sendsBaggage)",
            "TracePropagationMiddleware.origins": traces.origins == nil ? "all" : "some",
            "TraceState.maximumEntries": "\(TraceState.maximumEntries)",
            "TraceState.maximumBytes": bytes(TraceState.maximumBytes),
            "Baggage.maximumMembers": "\(Baggage.maximumMembers)",
            "Baggage.maximumBytes": bytes(Baggage.maximumBytes),
            "LinkHeader.maximumBytes": bytes(LinkHeader.maximumBytes),
            "LinkHeader.maximumLinks": "\(LinkHeader.maximumLinks)",
            "PageSequence.limit": "\(pages.limit)",
        ]
    }

    private static var limits: [String: String] {
        let renewal = RefreshingCredentials.Configuration()
        let auth = AuthMiddleware(RefreshingCredentials { _ in nil })
        let breaker = CircuitBreakerMiddleware()
        let adaptive = AdaptiveTimeoutMiddleware()
        let budget = RetryBudget()
        return [
            "AuthMiddleware.challenges": auth.challenges.sorted().map(String.init).joined(separator: ", "),
            "AuthMiddleware.scope": auth.scope == .baseURL ? "base URL" : "other",
            "RefreshingCredentials.Configuration.renewsAhead": text(renewal.renewsAhead),
            "RefreshingCredentials.Configuration.timeout": text(renewal.timeout),
            "RetryBudget.reserve": "\(budget.available)", "RetryBudget.ratio": "\(budget.ratio)",
            "HedgingMiddleware.budget": "\(HedgingMiddleware(after: .zero).budget.ratio)",
            "RateLimitMiddleware.maximumWait": text(RateLimitMiddleware(rate: 1).maximumWait),
            "ConcurrencyLimitMiddleware.maximumWaiting": "\(ConcurrencyLimitMiddleware(limit: 1).maximumWaiting)",
            "CircuitBreakerMiddleware.failureStatuses": breaker.failureStatuses.sorted().map(String.init)
                .joined(separator: ", "),
            "CircuitBreakerMiddleware.Policy.window": "\(breaker.policy.window)",
            "CircuitBreakerMiddleware.Policy.minimumCalls": "\(breaker.policy.minimumCalls)",
            "CircuitBreakerMiddleware.Policy.failureRatio": "\(breaker.policy.failureRatio)",
            "CircuitBreakerMiddleware.Policy.openTime": text(breaker.policy.openTime),
            "AdaptiveTimeoutMiddleware.factor": "\(adaptive.factor)",
            "AdaptiveTimeoutMiddleware.range":
                "\(text(adaptive.range.lowerBound)) to \(text(adaptive.range.upperBound))",
            "RequestOptions.priority": RequestOptions().priority == .normal ? "normal" : "other",
        ]
    }

    private static var sockets: [String: String] {
        let (compression, liveness) = (WebSocketCompression(), WebSocketLiveness())
        let session = SocketClient.Configuration()
        return [
            // The same time as for a liveness check.
            "WebSocketConnection.ping": text(liveness.grace),
            "SocketClient.Configuration.requestTimeout": text(session.requestTimeout),
            "SocketClient.Configuration.joinTimeout": text(session.joinTimeout),
            "SocketClient.Configuration.heartbeatInterval": session.heartbeatInterval.map { text($0) } ?? "none",
            "SocketClient.Configuration.maximumQueueCount": "\(session.maximumQueueCount)",
            "SocketClient.Configuration.maximumQueueBytes": bytes(session.maximumQueueBytes),
            "SocketClient.Configuration.probeTimeout": text(session.probeTimeout),
            "SocketClient.Configuration.connects": "\(session.connects)",
            "SocketClient.Configuration.delivery": session.delivery == nil ? "none" : "set",
            "SocketDelivery.maximumCount": "\(SocketDelivery().maximumCount)",
            "SocketDelivery.maximumBytes": bytes(SocketDelivery().maximumBytes),
            "SocketDelivery.acknowledgmentCount": "\(SocketDelivery().acknowledgmentCount)",
            "SocketDelivery.acknowledgmentDelay": text(SocketDelivery().acknowledgmentDelay),
            "SocketBuffer.standard": SocketBuffer.standard == .suspend(1000) ? "1000" : "other",
            "WebSocketRequest.compression": WebSocketRequest(url: "").compression == nil ? "none" : "some",
            "WebSocketLiveness.silence": text(liveness.silence), "WebSocketLiveness.grace": text(liveness.grace),
            "WebSocketLiveness.probe": "\(liveness.probe)",
            "WebSocketCompression.minimumBytes": bytes(compression.minimumBytes),
            "WebSocketCompression.level": "\(compression.level)",
            "WebSocketCompression.memoryLevel": "\(compression.memoryLevel)",
            "WebSocketCompression.fallsBack": "\(compression.fallsBack)",
            "WebSocketCompression.Direction.windowBits": "\(compression.sending.windowBits)",
            "WebSocketCompression.Direction.takesOverContext": "\(compression.sending.takesOverContext)",
        ]
    }

    private static var rest: [String: String] {
        let retry = RetryPolicy()
        let socket = WebSocketRequest(url: "")
        let reconnect = ReconnectPolicy()
        var rows = [
            "RetryPolicy.maximumAttempts": "\(retry.maximumAttempts)",
            "RetryPolicy.statuses": retry.statuses.sorted().map(String.init).joined(separator: ", "),
            "RetryPolicy.errors": retry.errors.map(\.rawValue).sorted().joined(separator: ", "),
            "RetryPolicy.eligibility": "\(retry.eligibility)",
            "RetryPolicy.maximumRetryAfter": text(retry.maximumRetryAfter),
            "Backoff.base": text(retry.backoff.base), "Backoff.factor": text(.seconds(retry.backoff.factor), unit: ""),
            "Backoff.cap": text(retry.backoff.cap), "Backoff.jitter": "\(retry.backoff.jitter)",
            "ReconnectPolicy.backoff": text(reconnect.backoff),
            "ReconnectPolicy.maximumAttempts": reconnect.maximumAttempts.map { "\($0)" } ?? "none",
            "ReconnectPolicy.stablePeriod": text(reconnect.stablePeriod),
            "ReconnectPolicy.closeCodes": text(reconnect.closeCodes),
            "ReconnectPolicy.statuses": text(reconnect.statuses),
            "ReconnectPolicy.maximumRetryAfter": text(reconnect.maximumRetryAfter),
            "WebSocketRequest.maximumMessageBytes": bytes(socket.maximumMessageBytes),
            "WebSocketClient.Configuration.timeouts": text(WebSocketClient.Configuration().timeouts.connect),
            "ServerSentEventParser.maximumEventBytes": bytes(ServerSentEventParser().maximumEventBytes),
            "LineParser.maximumLineBytes": bytes(LineParser().maximumLineBytes),
            "QueryEncoder.arrays": "\(QueryEncoder().arrays)", "QueryEncoder.nesting": "\(QueryEncoder().nesting)",
        ]
        rows.merge(StoreDefaults.rows) { $1 }
        rows.merge(ClientDefaults.rows) { $1 }
        rows.merge(DownloadDefaults.rows) { $1 }
        rows.merge(Self.connections) { $1 }
        rows.merge(Self.sockets) { $1 }
        let jar = CookieJar()
        rows["CookieJar.maximumCookiesPerDomain"] = "\(jar.maximumCookiesPerDomain)"
        rows["CookieJar.maximumCookies"] = "\(jar.maximumCookies)"
        rows["CookieJar.maximumAge"] = "\(CookieJar.maximumAge / 86_400) days"
        rows["SetCookie.maximumPairBytes"] = bytes(SetCookie.maximumPairBytes)
        rows["SetCookie.maximumAttributeBytes"] = bytes(SetCookie.maximumAttributeBytes)
        rows["HSTSList.maximumHosts"] = "\(HSTSList().maximumHosts)"
        rows["AltSvcMiddleware.connectTimeout"] = text(AltSvcMiddleware().connectTimeout)
        rows["AltSvcList.maximumOrigins"] = "\(AltSvcList().maximumOrigins)"
        rows["AltSvcList.firstPause"] = text(AltSvcList.firstPause)
        rows["AltSvcList.longestPause"] = text(AltSvcList.longestPause)
        rows["AltSvcField.standardAge"] = text(.seconds(AltSvcField.standardAge))
        rows["AltSvcField.maximumMembers"] = "\(AltSvcField.maximumMembers)"
        rows["AltSvcField.maximumBytes"] = bytes(AltSvcField.maximumBytes)
        if let parts = try? MultipartParser(boundary: "b") {
            rows["MultipartParser.maximumHeaderBytes"] = bytes(parts.maximumHeaderBytes)
            rows["MultipartParser.maximumParts"] = "\(parts.maximumParts)"
        }
        #if os(Linux)
        let sockets = CurlWebSocketTransport.Configuration()
        rows["CurlWebSocketTransport.Configuration.proxy"] = "\(sockets.proxy)"
        rows["CurlWebSocketTransport.Configuration.inboxBytes"] = bytes(sockets.inboxBytes)
        rows["CurlWebSocketTransport.Configuration.sendBufferBytes"] = bytes(sockets.sendBufferBytes)
        let transport = CurlTransport.Configuration()
        rows["CurlTransport.Configuration.version"] = "\(transport.version)"
        rows["CurlTransport.Configuration.proxy"] = "\(transport.proxy)"
        rows["CurlTransport.Configuration.maximumTransfers"] = "\(transport.maximumTransfers)"
        rows["CurlTransport.Configuration.streamBuffer"] = bytes(transport.streamBuffer)
        rows["CurlTransport.Configuration.receiveWindow"] = bytes(transport.receiveWindow)
        rows["CurlTransport.Configuration.idleConnectionLife"] = text(transport.idleConnectionLife)
        rows["CurlTransport.Configuration.connectionLife"] = text(transport.connectionLife)
        rows["CurlTransport.Configuration.maximumConnectionsPerHost"] =
            transport.maximumConnectionsPerHost.map { "\($0)" } ?? "none"
        rows["CurlTransport.Configuration.maximumHeaderBytes"] = bytes(transport.maximumHeaderBytes)
        rows["CurlTransport.Configuration.maximumInterimResponses"] = "\(transport.maximumInterimResponses)"
        rows["CurlTransport.Configuration.maximumExpansion"] = transport.maximumExpansion.map { "\(Int($0))" } ?? "none"
        #endif
        #if Server
        let server = TestServer.Configuration()
        rows["TestServer.Configuration.host"] = server.host
        rows["TestServer.Configuration.port"] = "\(server.port)"
        rows["TestServer.Configuration.offersHTTP2"] = "\(server.offersHTTP2)"
        rows["TestServer.Configuration.maximumHeaderBytes"] = bytes(server.maximumHeaderBytes)
        rows["TestServer.Configuration.maximumBodyBytes"] = bytes(server.maximumBodyBytes)
        rows["TestServer.Configuration.maximumLoggedBodyBytes"] = bytes(server.maximumLoggedBodyBytes)
        rows["TestServer.Configuration.maximumLoggedRequests"] = "\(server.maximumLoggedRequests)"
        #endif
        return rows
    }

    private static var connections: [String: String] {
        let tls = TLSConfiguration()
        let proxy = ProxyServer("")
        let connection = ConnectionConfiguration()
        return [
            "TLSConfiguration.trust": "\(tls.trust)",
            "TLSConfiguration.identity": tls.identity == nil ? "none" : "some",
            "TLSConfiguration.pins": tls.pins.isEmpty ? "none" : "some",
            "TLSConfiguration.minimumVersion": "\(tls.minimumVersion)",
            "TLSConfiguration.maximumVersion": tls.maximumVersion.map { "\($0)" } ?? "none",
            "ProxyServer.authentication": "\(proxy.authentication)",
            "ProxyServer.tunnelsAlways": "\(proxy.tunnelsAlways)",
            "ConnectionConfiguration.dnsCacheLife": text(connection.dnsCacheLife),
            "ConnectionConfiguration.addressFamily": "\(connection.addressFamily)",
            "ConnectionConfiguration.fallbackDelay": text(connection.fallbackDelay),
            "ConnectionConfiguration.tcpKeepAlive": text(connection.tcpKeepAlive),
            "ConnectionConfiguration.tcpNoDelay": "\(connection.tcpNoDelay)",
            "UnixSocket.maximumBytes": bytes(UnixSocket.maximumBytes),
        ]
    }

    /// Returns a text such as `0.5 s` or `none`.
    static func text(_ duration: Duration?, unit: String = " s") -> String {
        guard let duration else { return "none" }
        var text = duration.seconds(places: 3)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text + unit
    }

    /// Returns a text such as `1 s × 2, at most 30 s, full jitter`.
    private static func text<Bound>(_ range: ClosedRange<Bound>) -> String {
        range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }

    /// Returns a text such as `stop after 1000, 1002-1003; else retry`.
    private static func text(_ table: ReconnectTable) -> String {
        let actions: [ReconnectTable.Action] = [.retry, .renewCredential, .retryIfNeeded, .stop]
        let parts = actions.compactMap { action -> String? in
            let codes = table.entries.filter { $0.action == action && action != table.others }.map { text($0.codes) }
            return codes.isEmpty ? nil : "\(action) after \(codes.joined(separator: ", "))"
        }
        return (parts + ["else \(table.others)"]).joined(separator: "; ")
    }

    static func text(_ backoff: Backoff) -> String {
        let factor = text(.seconds(backoff.factor), unit: "")
        return "\(text(backoff.base)) × \(factor), at most \(text(backoff.cap)), \(backoff.jitter) jitter"
    }

    /// Returns a text such as `64 KiB`.
    static func bytes(_ count: Int) -> String {
        for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        where count >= 1 << shift && count % (1 << shift) == 0 {
            return "\(count >> shift) \(unit)"
        }
        return "\(count) B"
    }
}

extension StringProtocol {
    /// Returns the text without the leading and trailing characters for which `isDropped` returns true.
    fileprivate func trimming(while isDropped: (Character) -> Bool) -> String {
        var text = self[...]
        while let first = text.first, isDropped(first) { text.removeFirst() }
        while let last = text.last, isDropped(last) { text.removeLast() }
        return String(text)
    }
}

extension String {
    /// True if the setting exists only with the trait `Server`.
    fileprivate var isOfSocketServer: Bool {
        ["SocketServer", "ChannelRules.", "FanOutRetention.", "MemoryFanOut.", "RedisFanOut."].contains {
            hasPrefix($0)
        }
    }
}
