#if os(Linux)
internal import CCurl
package import NetCore

/// The version and capabilities of the linked libcurl.
package enum CurlFeatures {
    package static let current: TransportFeatures = {
        guard let info = net_version_info()?.pointee else {
            return TransportFeatures(library: "libcurl", tlsLibrary: nil, features: [])
        }
        let bits: [(Int, TransportFeatures.Feature)] = [
            (net_feature_tls, .tls), (net_feature_http2, .http2), (net_feature_http3, .http3),
            (net_feature_alt_svc, .altSvc), (net_feature_https_proxy, .httpsProxy),
            (net_feature_unix_sockets, .unixSockets), (net_feature_ipv6, .ipv6),
            (net_feature_asynchronous_dns, .asynchronousDNS), (net_feature_idn, .internationalNames),
            (net_feature_psl, .publicSuffixList), (net_feature_spnego, .negotiate),
        ]
        let features = bits.filter { Int(info.features) & $0.0 != 0 }.map(\.1)
        return TransportFeatures(
            library: "libcurl \(String(cString: info.version))",
            tlsLibrary: info.ssl_version.map { String(cString: $0) }, features: Set(features))
    }()

    /// True if libcurl can be restricted to HTTP/3; before 7.88 it would also try other versions at the same address.
    static let hasHTTP3Alone =
        current.contains(.http3) && net_version_info().map { $0.pointee.version_num >= 0x075800 } ?? false

    /// True for libcurl before 7.85, which keeps an unusable connection made with `CURLOPT_CONNECT_ONLY` open until its
    /// multi handle is freed.
    static let leavesConnectionsOpen = net_version_info().map { $0.pointee.version_num < 0x075500 } ?? false

    /// True for libcurl before 7.87. 7.81 stalls in the middle of an HTTP/2 response that arrives through an HTTPS
    /// proxy; connecting through such proxies was reimplemented in 7.86 and 7.87.
    static let stallsHTTP2BehindTLSProxy = net_version_info().map { $0.pointee.version_num < 0x075700 } ?? false

    /// True for libcurl 8.17 and later, which restores its default CA folder and bundle for a transfer that has none.
    static let restoresAuthorities = net_version_info().map { $0.pointee.version_num >= 0x081100 } ?? false

    /// True for libcurl before 7.84, which ignores header lines without a colon.
    static let ignoresLinesWithoutColon = net_version_info().map { $0.pointee.version_num < 0x075400 } ?? false

    /// True for libcurl 7.84 to 8.0, which treats a line that begins with whitespace as a continuation of the previous
    /// line, even if that line belonged to an earlier response on the same handle: it then writes to freed memory.
    static let foldsIntoFreedFields =
        net_version_info().map { (0x075400..<0x080100).contains($0.pointee.version_num) } ?? false

    /// True for libcurl 7.88, which starts HTTP/2 again on a connection without TLS that already uses it; this breaks
    /// the second request on the connection (curl issue 10634).
    static let breaksKnownHTTP2WhenShared = net_version_info().map { $0.pointee.version_num >> 8 == 0x0758 } ?? false

    /// True for libcurl 8.15 and later, which sets no timer for closing a TLS connection: if the peer doesn't respond
    /// to the close notification, the connection stays open until there is activity on another closing connection (seen
    /// in 8.21, not in 8.14).
    static let forgetsToClose = net_version_info().map { $0.pointee.version_num >= 0x080f00 } ?? false

    /// True for libcurl 7.88 and later, which loses an HTTP/2 response if its stream is reset while the body is being sent:
    /// 7.88 each, 8.14 and 8.21 those whose stream is reset with an error, as HAProxy does.
    static let losesEarlyResponses = net_version_info().map { $0.pointee.version_num >= 0x075800 } ?? false

    /// True for libcurl 7.88 and later, whose messages contain the last stream that an HTTP/2 server has processed.
    static let reportsLastStream = net_version_info().map { $0.pointee.version_num >= 0x075800 } ?? false

    /// True for libcurl 8.14 and later, which reports an HTTP/2 head that breaks its connection to all transfers on the
    /// connection. Header lines are delivered one by one, so the head of the responsible transfer is incomplete.
    static let blamesAllOnConnection = net_version_info().map { $0.pointee.version_num >= 0x080e00 } ?? false
}
#endif
