#if os(Linux)
internal import CCurl
internal import Glibc
internal import HTTPTypes
internal import NetCore

/// A libcurl easy handle of the pool. Used on the loop thread only.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    private static let noBody = Bytes()
    private let configuration: EngineConfiguration
    private var current: EasyOptions?
    private var reportsProgress = false
    private var fieldList: UnsafeMutablePointer<curl_slist>?
    private let errorBuffer: UnsafeMutablePointer<CChar>

    /// Makes a handle; nil when libcurl has no memory for one.
    init?(configuration: EngineConfiguration, closeContext: UnsafeMutableRawPointer) {
        guard let raw = curl_easy_init() else { return nil }
        self.raw = raw
        self.configuration = configuration
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setConstants(closeContext: closeContext)
    }

    deinit {
        curl_easy_cleanup(raw)
        curl_slist_free_all(fieldList)
        errorBuffer.deallocate()
    }

    /// libcurl's own words for the last failure.
    var errorText: String { String(cString: errorBuffer) }

    /// What every transfer shares; set once.
    private func setConstants(closeContext: UnsafeMutableRawPointer) {
        net_easy_set_long(raw, CURLOPT_NOSIGNAL, 1)
        net_easy_set_pointer(raw, CURLOPT_ERRORBUFFER, errorBuffer)
        net_easy_set_data_callback(raw, CURLOPT_WRITEFUNCTION, receiveBody)
        net_easy_set_data_callback(raw, CURLOPT_HEADERFUNCTION, receiveField)
        net_easy_set_data_callback(raw, CURLOPT_READFUNCTION, sendBody)
        net_easy_set_seek_callback(raw, refuseSeek)
        net_easy_set_progress_callback(raw, reportTransferProgress)
        net_easy_set_socket_callback(raw, prepareSocket)
        net_easy_set_close_callback(raw, closeSocket)
        net_easy_set_pointer(raw, CURLOPT_CLOSESOCKETDATA, closeContext)
        net_easy_set_protocols(raw)
        net_easy_set_quick_exit(raw)
        net_easy_set_long(raw, CURLOPT_PATH_AS_IS, 1)
        net_easy_set_long(raw, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        net_easy_set_long(raw, CURLOPT_BUFFERSIZE, configuration.receiveBufferSize)
        net_easy_set_long(raw, CURLOPT_UPLOAD_BUFFERSIZE, 64 << 10)
        net_easy_set_long(raw, CURLOPT_PIPEWAIT, 1)
        net_easy_set_long(raw, CURLOPT_MAXAGE_CONN, Int(configuration.idleConnectionLife.components.seconds))
        net_easy_set_string(raw, CURLOPT_NOPROXY, configuration.proxy.exceptions)
        setVersion()
        setTrust(configuration.trust, of: raw)
    }

    private func setVersion() {
        let version =
            switch configuration.version {
            case .http1: CURL_HTTP_VERSION_1_1
            case .http2OverTLS: CURL_HTTP_VERSION_2TLS
            case .http2PriorKnowledge: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            }
        net_easy_set_long(raw, CURLOPT_HTTP_VERSION, Int(version))
    }

    /// Points the callbacks at a transfer and sets what differs from the last one.
    func prepare(_ options: EasyOptions, body: Bytes?, reportsProgress: Bool, transfer: UnsafeMutableRawPointer) {
        net_easy_set_pointer(raw, CURLOPT_PRIVATE, transfer)
        net_easy_set_pointer(raw, CURLOPT_WRITEDATA, transfer)
        net_easy_set_pointer(raw, CURLOPT_HEADERDATA, transfer)
        net_easy_set_pointer(raw, CURLOPT_READDATA, transfer)
        net_easy_set_pointer(raw, CURLOPT_SOCKOPTDATA, transfer)
        if reportsProgress { net_easy_set_pointer(raw, CURLOPT_XFERINFODATA, transfer) }
        if reportsProgress != self.reportsProgress {
            self.reportsProgress = reportsProgress
            net_easy_set_long(raw, CURLOPT_NOPROGRESS, reportsProgress ? 0 : 1)
        }
        errorBuffer.pointee = 0
        let old = current
        current = options
        if old?.url != options.url { net_easy_set_string(raw, CURLOPT_URL, options.url) }
        if old?.proxy != options.proxy { net_easy_set_string(raw, CURLOPT_PROXY, options.proxy) }
        if old?.connectTimeout != options.connectTimeout {
            net_easy_set_long(raw, CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout)
        }
        if old?.fields != options.fields { set(fields: options.fieldLines) }
        if old?.method != options.method { set(method: options.method) }
        if case .bytes = options.method {
            // The transfer holds the bytes until it ends, so libcurl need not copy them. Without a body the pointer still
            // must not be nil: libcurl would ask the read callback.
            let body = body ?? Self.noBody
            net_easy_set_offset(raw, CURLOPT_POSTFIELDSIZE_LARGE, body.count)
            net_easy_set_pointer(raw, CURLOPT_POSTFIELDS, UnsafeRawPointer(body.storage.base + body.offset))
        }
    }

    private func set(fields lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            // A null result is out of memory: the list so far stays as it was.
            if let longer = curl_slist_append(list, line) { list = longer }
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

private func refuseSeek(_: UnsafeMutableRawPointer?, _: curl_off_t, _: CInt) -> CInt {
    Int32(CURL_SEEKFUNC_CANTSEEK)
}
#endif
