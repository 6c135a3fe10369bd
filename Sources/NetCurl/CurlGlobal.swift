#if os(Linux)
internal import CCurl

/// libcurl's process-wide state, set up once before its first use and kept to the end.
enum CurlGlobal {
    /// CURLE_OK when libcurl is usable.
    static let status: CURLcode = curl_global_init(Int(CURL_GLOBAL_ALL))
}
#endif
