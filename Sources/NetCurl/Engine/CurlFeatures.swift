#if os(Linux)
internal import CCurl
package import NetCore

/// What the linked libcurl is and can do.
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

    /// Whether it can speak HTTP/3 and nothing else: libcurl before 7.88 would try the rest at the same place.
    static let hasHTTP3Alone =
        current.contains(.http3) && net_version_info().map { $0.pointee.version_num >= 0x075800 } ?? false

    /// libcurl before 7.85 leaves a connection that it only made, and that nobody can use any more, open until its multi
    /// handle goes.
    static let leavesConnectionsOpen = net_version_info().map { $0.pointee.version_num < 0x075500 } ?? false

    /// libcurl 7.81 stops in the middle of an answer by HTTP/2 that comes through a proxy which is itself spoken to by TLS; in
    /// 7.86 and 7.87 the way through such a proxy was made anew.
    static let stallsHTTP2BehindTLSProxy = net_version_info().map { $0.pointee.version_num < 0x075700 } ?? false

    /// libcurl 8.17 and later put its own folder of authorities, and its bundle, in force again where a transfer has none.
    static let restoresAuthorities = net_version_info().map { $0.pointee.version_num >= 0x081100 } ?? false

    /// libcurl before 7.84 passes over a line of a head that has no colon.
    static let ignoresLinesWithoutColon = net_version_info().map { $0.pointee.version_num < 0x075400 } ?? false

    /// libcurl 7.84 to 8.0 takes a line that begins with a blank for the end of the line before, even where that was one of an
    /// earlier response on the same handle: it writes into memory that it has freed.
    static let foldsIntoFreedFields =
        net_version_info().map { (0x075400..<0x080100).contains($0.pointee.version_num) } ?? false

    /// libcurl 7.88 begins HTTP/2 anew on a connection without TLS that speaks it already, which breaks its second request
    /// (curl issue 10634).
    static let breaksKnownHTTP2WhenShared = net_version_info().map { $0.pointee.version_num >> 8 == 0x0758 } ?? false

    /// A connection by TLS whose peer does not answer its end stays open until something happens to another that ends too:
    /// libcurl sets no timer for it (8.21, not 8.14).
    static let forgetsToClose = net_version_info().map { $0.pointee.version_num >= 0x080f00 } ?? false

    /// A head by HTTP/2 that breaks its connection is told to all that share it (8.14); its lines came one by one.
    static let blamesAllOnConnection = net_version_info().map { $0.pointee.version_num >= 0x080e00 } ?? false
}
#endif
