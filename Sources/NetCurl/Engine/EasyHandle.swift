#if os(Linux)
internal import CCurl
internal import Glibc
internal import HTTPTypes
internal import NetCore

/// A libcurl easy handle of the pool. Used on the loop thread only.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    /// The loop's time.
    let now: UnsafePointer<UInt64>
    /// The transfer it carries, which the loop holds meanwhile.
    private var transfer: Unmanaged<Transfer>?
    private static let noBody = Bytes()
    private let configuration: EngineConfiguration
    private var current: EasyOptions?
    private var reportsProgress = false
    /// Whether the connection ends after the transfer.
    private var endsConnection = false
    private var watchesRest = false
    /// Whether nothing but HTTP/1 is spoken.
    private(set) var isHTTP1 = false
    /// Whether libcurl was told where the authorities are.
    private var hasAuthorities = false
    /// The last proxy that was spoken to by TLS: libcurl has its settings.
    private var tlsProxy: ProxyRoute?
    /// Whether libcurl has the request's target apart from the URL.
    private var hasTarget = false
    /// Whether it must not carry another transfer. libcurl 7.88 does not forget that it has sent trailers, and writes the
    /// length of the next body's chunks in front of its buffer; nor that a server did not know an expectation.
    private(set) var isSpent = false
    /// Whether libcurl has sent a request again by itself. It counts that, up to five times, for as long as the handle lives
    /// and not for each transfer: such a handle carries no other one.
    private(set) var hasSentAgain = false
    /// Whether other transfers may use its connections, at the same time or later.
    private(set) var sharesConnections = true
    /// Whether lines of the head come to `receiveBody` first.
    private(set) var isPreviewing = false
    private var fieldList: UnsafeMutablePointer<curl_slist>?
    /// The URL in its parts, a `CURLU`.
    private var urlParts: OpaquePointer?
    private let errorBuffer: UnsafeMutablePointer<CChar>
    /// The loop's core, for the callback that closes sockets.
    private let closeContext: UnsafeMutableRawPointer

    /// Makes a handle; nil when libcurl has no memory for one.
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

    /// Calls `body` with the transfer, without a retain.
    func withTransfer<Value>(otherwise: Value, _ body: (Transfer) -> Value) -> Value {
        transfer?._withUnsafeGuaranteedRef(body) ?? otherwise
    }

    private func setUp() {
        setConstants()
        setContexts()
    }

    /// The callbacks find the transfer by way of the handle, so that these are set once.
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
        net_easy_set_debug_callback(raw, noteRest)
    }

    /// libcurl's own words for the last failure.
    var errorText: String { String(cString: errorBuffer) }

    /// What every transfer shares; set once.
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
        // Chunks come as they are, to `ChunkDecoder`: one call for all of them that were read at once.
        net_easy_set_long(raw, CURLOPT_HTTP_TRANSFER_DECODING, 0)
        net_easy_set_long(raw, CURLOPT_BUFFERSIZE, CurlGlobal.bufferSize)
        net_easy_set_long(raw, CURLOPT_UPLOAD_BUFFERSIZE, CurlGlobal.bufferSize)
        net_easy_set_long(raw, CURLOPT_PIPEWAIT, 1)
        net_easy_set_long(raw, CURLOPT_MAXAGE_CONN, max(0, configuration.idleConnectionLife.inWholeSeconds))
        if let life = configuration.connectionLife {
            net_easy_set_long(raw, CURLOPT_MAXLIFETIME_CONN, max(1, life.inWholeSeconds))
        }
        // What libcurl refuses was found when the engine started.
        var writer = EasyWriter(raw)
        configuration.connection.apply(to: &writer)
    }

    /// Without TLS there is no HTTP/2 unless both know it. libcurl does not see that: calls to a host that it has not heard
    /// of would wait for the first one's response, to share its connection perhaps.
    private func set(versionFor options: EasyOptions) {
        let version =
            switch configuration.version {
            case _ where options.sendsTrailers: CURL_HTTP_VERSION_1_1
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
        guard !hasAuthorities, !options.isPlain else { return }
        hasAuthorities = true
        var writer = EasyWriter(raw)
        configuration.connection.tls.applySystemAuthorities(to: &writer, .server)
    }

    /// Takes a transfer on: sets what differs from the last one.
    func prepare(_ transfer: Transfer) {
        self.transfer = Unmanaged.passUnretained(transfer)
        errorBuffer.pointee = 0
        let options = transfer.options
        set(options)
        // Of a body from memory nothing else tells when it has gone out.
        let reports = transfer.progress != nil || transfer.body != nil
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
            // The transfer holds the bytes until it ends, so libcurl need not copy them. Without a body the pointer still
            // must not be nil: libcurl would ask the read callback.
            let body = transfer.body ?? Self.noBody
            net_easy_set_offset(raw, CURLOPT_POSTFIELDSIZE_LARGE, body.count)
            net_easy_set_pointer(raw, CURLOPT_POSTFIELDS, UnsafeRawPointer(body.storage.base + body.offset))
        }
    }

    /// The transfer is over.
    func forget() {
        transfer = nil
        if endsConnection {
            endsConnection = false
            if sharesConnections { net_easy_set_long(raw, CURLOPT_FORBID_REUSE, 0) }
        }
        if watchesRest {
            watchesRest = false
            net_easy_set_long(raw, CURLOPT_VERBOSE, 0)
        }
    }

    /// No other transfer may use the connection of this one (HTTP/1).
    func endConnection() {
        endsConnection = true
        net_easy_set_long(raw, CURLOPT_FORBID_REUSE, 1)
    }

    /// Has libcurl tell whether it has read more than a response without a body. It drops that, and would use the connection
    /// again; it says so among its messages, which cost too much for every response.
    func watchRest() {
        watchesRest = true
        net_easy_set_long(raw, CURLOPT_VERBOSE, 1)
    }

    private func set(_ options: EasyOptions) {
        guard let old = current else {
            current = options
            set(urlOf: options)
            set(versionFor: options)
            set(authoritiesFor: options)
            set(route: options.route, replacing: nil)
            net_easy_set_long(raw, CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout)
            set(fields: options.fieldLines())
            set(method: options.method)
            set(expect: options.expectTimeout)
            return
        }
        // As long as nothing differs the old one stays, so that the new one ends where it was made.
        if old.isSame(as: options) { return }
        if let tlsProxy, let other = options.route.tlsProxy, other !== tlsProxy {
            forgetOptions()
            set(options)
        } else {
            change(from: old, to: options)
        }
    }

    /// Takes every option back. What TLS of one proxy wants, such as no verification, would stay in force for another that does
    /// not mention it: libcurl cannot be told its own defaults.
    private func forgetOptions() {
        curl_easy_reset(raw)
        (current, tlsProxy) = (nil, nil)
        (hasAuthorities, hasTarget, reportsProgress, isPreviewing) = (false, false, false, false)
        (endsConnection, watchesRest) = (false, false)
        sharesConnections = true
        setUp()
    }

    private func change(from old: EasyOptions, to options: EasyOptions) {
        current = options
        if !old.hasSameURL(as: options) || hasTarget && old.route != options.route { set(urlOf: options) }
        if old.isPlain != options.isPlain || old.sendsTrailers != options.sendsTrailers
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
        if !old.hasSameFields(as: options) { set(fields: options.fieldLines()) }
        if old.method != options.method { set(method: options.method) }
        if old.expectTimeout != options.expectTimeout { set(expect: options.expectTimeout) }
    }

    private func set(urlOf options: EasyOptions) {
        let url = options.url
        net_easy_set_string(raw, CURLOPT_URL, url)
        // With the text alone libcurl takes it apart and writes it anew for each transfer: 14,000 of the 72,000 instructions
        // of a GET in C. A zone it loses before 8.3 when it copies the parts.
        net_easy_set_pointer(raw, CURLOPT_CURLU, (options.hasZone ? nil : parts(of: url)).map { UnsafeRawPointer($0) })
        let target = options.target
        if target != nil || hasTarget { net_easy_set_string(raw, CURLOPT_REQUEST_TARGET, target) }
        hasTarget = target != nil
    }

    /// A URL in its parts, until the next call; nil for one that libcurl cannot read, which the transfer will say.
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

    /// Has lines of the head come to the callback of the body too, before libcurl looks at them itself: it must not see a
    /// first field that begins with a blank. After that field they need not, which a callback tells at once.
    func previewHead(_ isWanted: Bool) {
        guard CurlFeatures.foldsIntoFreedFields, isWanted != isPreviewing else { return }
        isPreviewing = isWanted
        net_easy_set_long(raw, CURLOPT_HEADER, isWanted ? 1 : 0)
    }

    /// The server does not know the expectation. Called by libcurl before it writes the request anew.
    func expectNothing() {
        guard let options = current else { return }
        isSpent = true
        set(fields: options.fieldLines(expects: false))
    }

    /// libcurl sends the request once more, because a connection that was used before ended without an answer.
    func noteSentAgain() {
        hasSentAgain = true
    }

    /// For the connections that libcurl keeps are dead.
    func connectAnew() {
        isSpent = true
        net_easy_set_long(raw, CURLOPT_FRESH_CONNECT, 1)
    }

    private func set(expect milliseconds: Int) {
        net_easy_set_long(raw, CURLOPT_EXPECT_100_TIMEOUT_MS, max(1, milliseconds))
    }

    private func set(fields lines: [FieldLine]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            // A null result is out of memory: the list so far stays as it was.
            if let longer = line.appended(to: list) { list = longer }
        }
        net_easy_set_pointer(raw, CURLOPT_HTTPHEADER, list)
        curl_slist_free_all(fieldList)
        fieldList = list
    }

    /// Goes back to a plain GET first: each of libcurl's method switches leaves others set.
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
            net_easy_set_string(raw, CURLOPT_CUSTOMREQUEST, name)
        }
    }
}
#endif
