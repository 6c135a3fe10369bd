#if os(Linux)
internal import CCurl
internal import Glibc
internal import HTTPTypes
internal import NetCore

/// A pooled libcurl easy handle. Used on the loop's thread only.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    /// The loop's clock, in nanoseconds.
    let now: UnsafePointer<UInt64>
    /// The current transfer, which the loop retains.
    private var transfer: Unmanaged<Transfer>?
    private static let noBody = Bytes()
    private let configuration: EngineConfiguration
    private(set) var current: EasyOptions?
    private var reportsProgress = false
    /// True if the connection is closed after the transfer.
    private var endsConnection = false
    /// True if libcurl writes its messages, and if it does so only until it has opened a stream.
    var receivesMessages = false
    var receivesStreamOnly = false
    /// True if the wait for `100 Continue` was shortened for the transfer.
    var skipsExpectation = false
    /// True if only HTTP/1 is used.
    var isHTTP1 = false
    /// True if the CA certificates are set.
    private var hasAuthorities = false
    /// The last HTTPS proxy, whose TLS settings are set on the handle.
    private var tlsProxy: ProxyRoute?
    /// True if `CURLOPT_REQUEST_TARGET` is set.
    private var hasTarget = false
    /// True if the handle must not be reused. After a request with trailers, libcurl 7.88 keeps state that makes it
    /// write the chunk sizes of the next body in front of its buffer; it also remembers that a server rejected an
    /// expectation.
    var isSpent = false
    /// True if libcurl has resent a request on its own. It limits that to five times for the lifetime of the handle
    /// rather than for each transfer, so such a handle isn't reused.
    private(set) var hasSentAgain = false
    /// True if other transfers may use its connections, concurrently or later.
    private(set) var sharesConnections = true
    /// True if header lines are passed to `receiveBody` first.
    private(set) var isPreviewing = false
    private var fieldList: UnsafeMutablePointer<curl_slist>?
    /// The parsed URL, a `CURLU`.
    private var urlParts: OpaquePointer?
    private let errorBuffer: UnsafeMutablePointer<CChar>
    /// The loop's core, the context of the callback that closes sockets.
    private let closeContext: UnsafeMutableRawPointer

    /// Creates a handle; nil if libcurl is out of memory.
    init?(configuration: EngineConfiguration, core: LoopCore) {
        guard let raw = curl_easy_init() else { return nil }
        self.raw = raw
        now = UnsafePointer(core.clock)
        self.configuration = configuration
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        closeContext = Unmanaged.passUnretained(core).toOpaque()
        setUp()
        if let share = core.share { net_easy_set_pointer(raw, CURLOPT_SHARE, share) }
    }

    deinit {
        curl_easy_cleanup(raw)
        curl_slist_free_all(fieldList)
        curl_url_cleanup(urlParts)
        errorBuffer.deallocate()
    }

    /// Calls `body` with the current transfer without retaining it; returns `otherwise` if there is none.
    func withTransfer<Value>(otherwise: Value, _ body: (Transfer) -> Value) -> Value {
        transfer?._withUnsafeGuaranteedRef(body) ?? otherwise
    }

    private func setUp() {
        setConstants()
        setContexts()
    }

    /// Sets the callbacks and their context. The context is the handle, through which callbacks find the current
    /// transfer, so they're set only once.
    private func setContexts() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SOCKOPTDATA,
            CURLOPT_PREREQDATA, CURLOPT_XFERINFODATA, CURLOPT_RESOLVER_START_DATA, CURLOPT_SEEKDATA,
            CURLOPT_DEBUGDATA,
        ] {
            net_easy_set_pointer(raw, option, context)
        }
        net_easy_set_data_callback(raw, CURLOPT_WRITEFUNCTION, receiveBody)
        net_easy_set_data_callback(raw, CURLOPT_HEADERFUNCTION, receiveField)
        net_easy_set_data_callback(raw, CURLOPT_READFUNCTION, sendBody)
        net_easy_set_seek_callback(raw, seekBody)
        net_easy_set_socket_callback(raw, prepareSocket)
        net_easy_set_prereq_callback(raw, prepareRequest)
        net_easy_set_progress_callback(raw, reportTransferProgress)
        net_easy_set_resolver_callback(raw, prepareResolving)
        net_easy_set_debug_callback(raw, receiveMessage)
    }

    /// libcurl's message for the last failure.
    var errorText: String { String(cString: errorBuffer) }

    /// Makes libcurl look up names again that it looked up before the network changed, `seconds` ago. libcurl computes
    /// the age of a name as the difference of whole seconds, which is never less than the elapsed whole seconds.
    func limitNames(to seconds: UInt64) {
        let life = configuration.connection.nameLife
        net_easy_set_long(raw, CURLOPT_DNS_CACHE_TIMEOUT, min(life, Int(clamping: seconds)))
    }

    /// Sets the options that are the same for all transfers.
    private func setConstants() {
        net_easy_set_long(raw, CURLOPT_NOSIGNAL, 1)
        net_easy_set_pointer(raw, CURLOPT_ERRORBUFFER, errorBuffer)
        net_easy_set_close_callback(raw, closeSocket)
        net_easy_set_pointer(raw, CURLOPT_CLOSESOCKETDATA, closeContext)
        net_easy_set_private_sockets(raw)
        net_easy_set_protocols(raw)
        net_easy_set_quick_exit(raw)
        net_easy_set_long(raw, CURLOPT_PATH_AS_IS, 1)
        net_easy_set_long(raw, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Chunks are passed undecoded to `ChunkDecoder`, with one call for all chunks of a read.
        net_easy_set_long(raw, CURLOPT_HTTP_TRANSFER_DECODING, 0)
        net_easy_set_long(raw, CURLOPT_BUFFERSIZE, CurlGlobal.bufferSize)
        net_easy_set_long(raw, CURLOPT_UPLOAD_BUFFERSIZE, CurlGlobal.bufferSize)
        net_easy_set_long(raw, CURLOPT_PIPEWAIT, 1)
        net_easy_set_long(raw, CURLOPT_MAXAGE_CONN, max(0, configuration.idleConnectionLife.inWholeSeconds))
        if let life = configuration.connectionLife {
            net_easy_set_long(raw, CURLOPT_MAXLIFETIME_CONN, max(1, life.inWholeSeconds))
        }
        // Options that libcurl rejects were already reported by `ConnectionSettings`.
        var writer = EasyWriter(raw)
        configuration.connection.apply(to: &writer)
    }

    /// Sets the HTTP version. Without TLS there is no HTTP/2 except with prior knowledge. libcurl doesn't consider
    /// that: calls to a host that it doesn't know yet would wait for the first response, in case they can share its
    /// connection.
    private func set(versionFor options: EasyOptions) {
        let version =
            switch configuration.version {
            case _ where options.usesHTTP1: CURL_HTTP_VERSION_1_1
            case .http1: CURL_HTTP_VERSION_1_1
            case .http2OverTLS where options.isBehindTLSProxy && CurlFeatures.stallsHTTP2BehindTLSProxy:
                CURL_HTTP_VERSION_1_1
            case .http2OverTLS: options.isPlain ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS
            case .http2PriorKnowledge: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            }
        let spoken = options.route.alternative?.version ?? Int(version)
        net_easy_set_long(raw, CURLOPT_HTTP_VERSION, spoken)
        isHTTP1 = spoken == Int(CURL_HTTP_VERSION_1_1)
        if configuration.version == .http2PriorKnowledge, CurlFeatures.breaksKnownHTTP2WhenShared {
            sharesConnections = !options.isPlain
            net_easy_set_long(raw, CURLOPT_FRESH_CONNECT, sharesConnections ? 0 : 1)
            net_easy_set_long(raw, CURLOPT_FORBID_REUSE, sharesConnections ? 0 : 1)
        }
    }

    private func set(authoritiesFor options: EasyOptions) {
        guard !hasAuthorities, !options.isPlain || configuration.connection.resolvesOverHTTPS else { return }
        hasAuthorities = true
        var writer = EasyWriter(raw)
        configuration.connection.tls.applySystemAuthorities(to: &writer, .server)
    }

    /// Prepares the handle for a transfer: sets the options that differ from the last one.
    func prepare(_ transfer: Transfer) {
        self.transfer = Unmanaged.passUnretained(transfer)
        errorBuffer.pointee = 0
        let options = transfer.options
        set(options)
        // Only progress reports show when a body has been sent.
        let reports = transfer.progress != nil || transfer.body != nil || transfer.upload != nil
        if reports != reportsProgress {
            reportsProgress = reports
            net_easy_set_long(raw, CURLOPT_NOPROGRESS, reports ? 0 : 1)
        }
        if options.sendsTrailers {
            isSpent = true
            net_easy_set_trailer_callback(raw, sendTrailers)
            net_easy_set_pointer(raw, CURLOPT_TRAILERDATA, Unmanaged.passUnretained(self).toOpaque())
        }
        if case .bytes = options.method {
            // The transfer keeps the bytes until it ends, so libcurl doesn't have to copy them. Without a body the
            // pointer still must not be nil: libcurl would call the read callback.
            let body = transfer.body ?? Self.noBody
            net_easy_set_offset(raw, CURLOPT_POSTFIELDSIZE_LARGE, body.count)
            net_easy_set_pointer(raw, CURLOPT_POSTFIELDS, UnsafeRawPointer(body.storage.base + body.offset))
        }
    }

    /// Detaches the transfer after its end, and resets the options that applied only to it.
    func forget() {
        transfer = nil
        if endsConnection {
            endsConnection = false
            if sharesConnections { net_easy_set_long(raw, CURLOPT_FORBID_REUSE, 0) }
        }
        stopMessages()
        if skipsExpectation {
            skipsExpectation = false
            set(expect: current?.expectTimeout ?? 0)
        }
    }

    /// Prevents other transfers from using this transfer's connection (HTTP/1).
    func endConnection() {
        endsConnection = true
        net_easy_set_long(raw, CURLOPT_FORBID_REUSE, 1)
    }

    private func set(_ options: EasyOptions) {
        guard let old = current else {
            current = options
            set(urlOf: options)
            set(versionFor: options)
            set(authoritiesFor: options)
            set(route: options.route, replacing: nil)
            net_easy_set_long(raw, CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout)
            set(headers: options.fieldLines())
            set(method: options.method)
            set(expect: options.expectTimeout)
            return
        }
        // If nothing differs, the old object stays, so that the new one is freed on the thread that allocated it.
        if old.isSame(as: options) { return }
        if let tlsProxy, let other = options.route.tlsProxy, other !== tlsProxy {
            forgetOptions()
            set(options)
        } else {
            change(from: old, to: options)
        }
    }

    /// Resets every option. Otherwise TLS settings for one proxy, such as no verification, would stay in effect for
    /// another proxy that doesn't specify them: a single option can't be reset to libcurl's default.
    private func forgetOptions() {
        curl_easy_reset(raw)
        (current, tlsProxy) = (nil, nil)
        (hasAuthorities, hasTarget, reportsProgress, isPreviewing) = (false, false, false, false)
        (endsConnection, receivesMessages, skipsExpectation) = (false, false, false)
        sharesConnections = true
        setUp()
    }

    private func change(from old: EasyOptions, to options: EasyOptions) {
        current = options
        if !old.hasSameURL(as: options) || hasTarget && old.route != options.route { set(urlOf: options) }
        if old.isPlain != options.isPlain || old.usesHTTP1 != options.usesHTTP1
            || old.isBehindTLSProxy != options.isBehindTLSProxy
            || old.route.alternative?.version != options.route.alternative?.version
        {
            set(versionFor: options)
            set(authoritiesFor: options)
        }
        if old.route != options.route { set(route: options.route, replacing: old.route) }
        if old.connectTimeout != options.connectTimeout {
            net_easy_set_long(raw, CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout)
        }
        if !old.hasSameFields(as: options) { set(headers: options.fieldLines()) }
        if old.method != options.method { set(method: options.method) }
        if old.expectTimeout != options.expectTimeout { set(expect: options.expectTimeout) }
    }

    private func set(urlOf options: EasyOptions) {
        let url = options.url
        net_easy_set_string(raw, CURLOPT_URL, url)
        // Given a string, libcurl parses and rebuilds the URL for each transfer: 14,000 of the 72,000 instructions of a
        // GET in C. Before 8.3, libcurl loses the zone of an IPv6 address when it copies a parsed URL.
        net_easy_set_pointer(raw, CURLOPT_CURLU, (options.hasZone ? nil : parts(of: url)).map { UnsafeRawPointer($0) })
        let target = options.target
        if target != nil || hasTarget { net_easy_set_string(raw, CURLOPT_REQUEST_TARGET, target) }
        hasTarget = target != nil
    }

    /// Returns the parsed URL, valid until the next call; nil if libcurl can't parse it, which the transfer then
    /// reports.
    private func parts(of url: String) -> OpaquePointer? {
        if urlParts == nil { urlParts = curl_url() }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS)
        return curl_url_set(urlParts, CURLUPART_URL, url, flags) == CURLUE_OK ? urlParts : nil
    }

    private func set(route: Route, replacing old: Route?) {
        var writer = EasyWriter(raw)
        route.apply(to: &writer, replacing: old, isStream: false)
        tlsProxy = route.tlsProxy ?? tlsProxy
        if old?.alternative !== route.alternative {
            configuration.connection.set(alternative: route.alternative, on: &writer)
        }
    }

    /// Enables or disables passing header lines to the body callback before libcurl parses them: libcurl must not see a
    /// first header line that begins with whitespace. `receiveField` disables it after the first header line.
    func previewHead(_ isWanted: Bool) {
        guard CurlFeatures.foldsIntoFreedFields, isWanted != isPreviewing else { return }
        isPreviewing = isWanted
        net_easy_set_long(raw, CURLOPT_HEADER, isWanted ? 1 : 0)
    }

    /// Removes the expectation after the server rejected it. Called before libcurl writes the request again.
    func expectNothing() {
        guard let options = current else { return }
        isSpent = true
        set(headers: options.fieldLines(expects: false))
    }

    /// Records that libcurl resends the request because a reused connection ended without a response.
    func noteSentAgain() {
        hasSentAgain = true
    }

    /// Makes the next attempt open a new connection, because the connections that libcurl keeps are dead.
    func connectAnew() {
        isSpent = true
        net_easy_set_long(raw, CURLOPT_FRESH_CONNECT, 1)
    }

    func set(expect milliseconds: Int) {
        net_easy_set_long(raw, CURLOPT_EXPECT_100_TIMEOUT_MS, max(1, milliseconds))
    }

    private func set(headers lines: [FieldLine]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            // A null result means out of memory; the list so far stays valid.
            if let longer = line.appended(to: list) { list = longer }
        }
        net_easy_set_pointer(raw, CURLOPT_HTTPHEADER, list)
        curl_slist_free_all(fieldList)
        fieldList = list
    }

    /// Sets the method. Resets to a plain GET first, because each of libcurl's method options leaves others set.
    private func set(method: EasyOptions.Method) {
        net_easy_set_string(raw, CURLOPT_CUSTOMREQUEST, nil)
        net_easy_set_pointer(raw, CURLOPT_POSTFIELDS, nil)
        net_easy_set_offset(raw, CURLOPT_POSTFIELDSIZE_LARGE, -1)
        net_easy_set_offset(raw, CURLOPT_INFILESIZE_LARGE, -1)
        net_easy_set_long(raw, CURLOPT_HTTPGET, 1)
        switch method {
        case .bodyless("GET"):
            break
        case .bodyless(let name):
            net_easy_set_string(raw, CURLOPT_CUSTOMREQUEST, name)
        case .head:
            net_easy_set_long(raw, CURLOPT_NOBODY, 1)
        case .bytes(let name):
            net_easy_set_long(raw, CURLOPT_POST, 1)
            net_easy_set_string(raw, CURLOPT_CUSTOMREQUEST, name == "POST" ? nil : name)
        case .upload(let name, let length):
            net_easy_set_long(raw, CURLOPT_UPLOAD, 1)
            net_easy_set_offset(raw, CURLOPT_INFILESIZE_LARGE, Int(length))
            net_easy_set_long(
                raw, CURLOPT_UPLOAD_BUFFERSIZE,
                length >= CurlGlobal.largeUpload ? CurlGlobal.largeUploadBufferSize : CurlGlobal.bufferSize)
            net_easy_set_string(raw, CURLOPT_CUSTOMREQUEST, name)
        }
    }
}
#endif
