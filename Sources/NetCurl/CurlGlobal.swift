#if os(Linux)
internal import CCurl

/// libcurl's process-wide state, set up once before its first use and kept to the end.
enum CurlGlobal {
    /// CURLE_OK when libcurl is usable.
    static let status: CURLcode = curl_global_init(Int(CURL_GLOBAL_ALL))
}

/// What the linked libcurl is.
package enum CurlVersion {
    /// `libcurl/7.88.1 OpenSSL/3.0 …`
    package static var text: String { String(cString: curl_version()) }
}
#endif
