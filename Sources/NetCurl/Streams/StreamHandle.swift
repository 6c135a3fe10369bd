#if os(Linux)
internal import CCurl
internal import NetCore

/// The libcurl handle of a byte stream, which only establishes the connection (`CURLOPT_CONNECT_ONLY`). Used on the
/// loop's thread only.
final class StreamHandle {
    let raw: UnsafeMutableRawPointer
    let route: Route
    /// The settings, whose lists must live as long as the handle.
    private let connection: ConnectionSettings
    private let errorBuffer: UnsafeMutablePointer<CChar>

    /// Creates a handle; nil if libcurl is out of memory.
    init?(target: ByteStream.Target, configuration: EngineConfiguration, closeContext: UnsafeMutableRawPointer) {
        guard let raw = curl_easy_init() else { return nil }
        self.raw = raw
        connection = configuration.connection
        route = connection.routes.route(isSecure: target.isSecure, authority: target.authority)
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        net_easy_set_long(raw, CURLOPT_NOSIGNAL, 1)
        net_easy_set_pointer(raw, CURLOPT_ERRORBUFFER, errorBuffer)
        net_easy_set_close_callback(raw, closeSocket)
        net_easy_set_pointer(raw, CURLOPT_CLOSESOCKETDATA, closeContext)
        net_easy_set_private_sockets(raw)
        net_easy_set_protocols(raw)
        net_easy_set_quick_exit(raw)
        net_easy_set_long(raw, CURLOPT_CONNECT_ONLY, 1)
        net_easy_set_long(raw, CURLOPT_FRESH_CONNECT, 1)
        net_easy_set_long(raw, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        // The handle's own buffer is used only for the proxy's response; `bytesAreOurs` raises the limit for reading.
        net_easy_set_long(raw, CURLOPT_BUFFERSIZE, 1024)
        net_easy_set_string(raw, CURLOPT_URL, "\(target.isSecure ? "https" : "http")://\(target.authority)/")
        net_easy_set_long(raw, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        let connect = target.connectTimeout?.inMillisecondsRoundedUp ?? Int(Int32.max)
        net_easy_set_long(raw, CURLOPT_CONNECTTIMEOUT_MS, min(max(1, connect), Int(Int32.max)))
        // Options that libcurl rejects were already reported by `ConnectionSettings`.
        var writer = EasyWriter(raw)
        connection.apply(to: &writer)
        if target.isSecure || connection.resolvesOverHTTPS {
            connection.tls.applySystemAuthorities(to: &writer, .server)
        }
        route.apply(to: &writer, replacing: nil, isStream: true)
    }

    deinit {
        curl_easy_cleanup(raw)
        errorBuffer.deallocate()
    }

    /// Raises the limit for reading once the connection is established. `curl_easy_recv` reads at most the buffer's
    /// size at a time, without allocating a buffer of that size.
    func bytesAreOurs() {
        net_easy_set_long(raw, CURLOPT_BUFFERSIZE, 512 << 10)
    }

    /// True if the bytes are sent through TLS, to the server or to an HTTPS proxy.
    func isEncrypted(_ target: ByteStream.Target) -> Bool {
        target.isSecure || route.proxy?.address.scheme == .https
    }

    /// libcurl's message for the last failure.
    var errorText: String { String(cString: errorBuffer) }

    func text(for code: CURLcode) -> String {
        let detail = errorText
        return detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    }
}
#endif
