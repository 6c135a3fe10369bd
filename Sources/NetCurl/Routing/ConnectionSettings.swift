#if os(Linux)
internal import CCurl
internal import Glibc
package import NetCore

/// Validated settings for TLS, proxies and addresses, in libcurl's format. Shared by all handles of an engine.
package final class ConnectionSettings: Sendable {
    let tls: TLSSettings
    package let routes: RouteTable
    let connection: ConnectionConfiguration
    let version: EngineConfiguration.Version
    /// The values of `CURLOPT_RESOLVE` and `CURLOPT_CONNECT_TO`.
    private let addresses: StringList?
    private let hosts: StringList?

    /// Validates the settings; throws `.invalidRequest` or `.unsupported` with the name of the setting.
    package init(
        tls: TLSConfiguration, proxy: ProxyConfiguration, connection: ConnectionConfiguration,
        version: EngineConfiguration.Version = .http2OverTLS, negotiateOrigins: [String] = [],
        features: TransportFeatures = CurlFeatures.current,
        variable: (String) -> String? = ProxySettings.variable
    ) throws(NetError) {
        self.tls = try TLSSettings(tls, setting: "tls")
        self.connection = connection
        self.version = version
        let proxies = try ProxySettings(proxy, variable: variable)
        var sockets: [(pattern: String, value: UnixRoute)] = []
        for (pattern, socket) in connection.unixSockets {
            let setting = "connection.unixSockets[\"\(pattern)\"]"
            try Self.checkPattern(pattern, setting)
            if let problem = socket.problem { throw NetError.unusable(setting, problem) }
            sockets.append((pattern, UnixRoute(socket)))
        }
        routes = RouteTable(
            http: proxies.http, https: proxies.https, exceptions: proxies.exceptions, sockets: HostTable(sockets),
            pins: self.tls.pins, negotiators: try Self.origins(negotiateOrigins))
        if !negotiateOrigins.isEmpty { try features.require(.negotiate, for: "negotiateOrigins") }
        (addresses, hosts) = try Self.overrides(connection.overrides)
        try Self.check(connection)
        try requireFeatures(features)
        try probe()
    }

    private static func origins(_ urls: [String]) throws(NetError) -> Set<String> {
        var origins = Set<String>()
        for url in urls {
            let origin = BaseURL(unchecked: url)
            if let problem = origin.problem { throw NetError.unusable("negotiateOrigins", problem) }
            origins.insert(origin.origin)
        }
        return origins
    }

    static func checkPattern(_ pattern: String, _ setting: String) throws(NetError) {
        guard HostTable<Int>.isPattern(pattern) else {
            throw NetError.unusable(setting, "write a host name, *.example.com or *, without scheme and port")
        }
    }

    /// True if names are resolved over TLS, also for requests without it.
    var resolvesOverHTTPS: Bool { connection.dnsOverHTTPS != nil }

    private static func check(_ connection: ConnectionConfiguration) throws(NetError) {
        if let text = connection.dnsOverHTTPS {
            let url = URLReference(text)
            guard url.scheme?.lowercased() == "https", let authority = url.authority, !authority.isEmpty,
                text.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
            else { throw NetError.unusable("connection.dnsOverHTTPS", "write a URL with https://") }
        }
        if let ports = connection.localPorts, ports.lowerBound < 1 || ports.upperBound > 65_535 {
            throw NetError.unusable("connection.localPorts", "ports are numbers from 1 to 65535")
        }
        let name: String? =
            switch connection.localAddress {
            case .interface(let name), .host(let name): name
            case nil: nil
            }
        if let name, name.isEmpty || name.utf8.contains(where: { $0 <= 32 || $0 == 33 || $0 == 127 }) {
            throw NetError.unusable("connection.localAddress", "it is empty or contains blanks")
        }
    }

    private func requireFeatures(_ features: TransportFeatures) throws(NetError) {
        if version == .http2PriorKnowledge { try features.require(.http2, for: "version .http2PriorKnowledge") }
        if !connection.unixSockets.isEmpty { try features.require(.unixSockets, for: "connection.unixSockets") }
        if connection.addressFamily == .ipv6 { try features.require(.ipv6, for: "connection.addressFamily .ipv6") }
        for proxy in [routes.http, routes.https] {
            guard let proxy else { continue }
            if proxy.address.scheme == .https { try features.require(.httpsProxy, for: "the proxy \(proxy.name)") }
            if proxy.server.authentication == .negotiate {
                try features.require(.negotiate, for: "negotiation with the proxy \(proxy.name)")
            }
        }
    }

    /// Returns libcurl's lists; entries for one host come before those for every host.
    private static func overrides(
        _ overrides: [String: ConnectionConfiguration.Override]
    ) throws(NetError) -> (StringList?, StringList?) {
        var (addresses, hosts): ([String], [String]) = ([], [])
        for (key, override) in overrides.sorted(by: { $0.key > $1.key }) {
            let setting = "connection.overrides[\"\(key)\"]"
            guard let place = HostAndPort(key), let port = place.port, port > 0 else {
                throw NetError.unusable(setting, "write a host and a port, like api.example.com:443 or *:443")
            }
            switch override {
            case .addresses(let list):
                guard !list.isEmpty else {
                    throw NetError.unusable(setting, "the list of addresses is empty; give one or more")
                }
                // libcurl can't parse such an entry, and would then perform no transfer at all.
                guard !place.host.hasPrefix("[") else {
                    throw NetError.unusable(setting, "\(place.host) is an address itself; use .host")
                }
                var texts: [String] = []
                for text in list {
                    guard let address = IPAddress(text) else {
                        throw NetError.unusable(setting, "\"\(text)\" isn't an IPv4 or IPv6 address")
                    }
                    texts.append(address.isIPv6 ? "[\(text)]" : text)
                }
                addresses.append("\(place.host):\(port):\(texts.joined(separator: ","))")
            case .host(let text):
                guard let target = HostAndPort(text), target.port != 0 else {
                    throw NetError.unusable(setting, "\"\(text)\" isn't a host with or without a port")
                }
                let host = place.host == "*" ? "" : place.host
                hosts.append("\(host):\(port):\(target.host):\(target.port.map { "\($0)" } ?? "")")
            }
        }
        return (StringList(addresses), StringList(hosts))
    }

    /// The number of seconds for which a looked-up name is used. No limit is 68 years: libcurl 8.5 and 8.14 treat -1,
    /// which is documented as no limit, as zero.
    var nameLife: Int { connection.dnsCacheLife.map { max(0, $0.inWholeSeconds) } ?? Int(Int32.max) - 1 }

    /// Sets the options that are the same for all transfers.
    func apply(to writer: inout EasyWriter) {
        // Without a list of exceptions, libcurl reads the environment for each request.
        writer.set(CURLOPT_NOPROXY, "", "proxy")
        tls.apply(to: &writer, .server)
        writer.set(CURLOPT_TCP_NODELAY, connection.tcpNoDelay ? 1 : 0, "connection.tcpNoDelay")
        if let silence = connection.tcpKeepAlive {
            writer.set(CURLOPT_TCP_KEEPALIVE, 1, "connection.tcpKeepAlive")
            writer.set(CURLOPT_TCP_KEEPIDLE, max(1, silence.inWholeSeconds), "connection.tcpKeepAlive")
            writer.set(CURLOPT_TCP_KEEPINTVL, max(1, silence.inWholeSeconds), "connection.tcpKeepAlive")
        }
        writer.set(CURLOPT_DNS_CACHE_TIMEOUT, nameLife, "connection.dnsCacheLife")
        if let url = connection.dnsOverHTTPS {
            writer.set(CURLOPT_DOH_URL, url, "connection.dnsOverHTTPS")
            let isChecked = tls.checksCertificates ? 1 : 0
            writer.set(CURLOPT_DOH_SSL_VERIFYPEER, isChecked, "connection.dnsOverHTTPS")
            writer.set(CURLOPT_DOH_SSL_VERIFYHOST, isChecked * 2, "connection.dnsOverHTTPS")
        }
        let delay = max(1, min(connection.fallbackDelay.inMillisecondsRoundedUp, Int(Int32.max)))
        writer.set(CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, delay, "connection.fallbackDelay")
        switch connection.addressFamily {
        case .any: break
        case .ipv4: writer.set(family: Int(CURL_IPRESOLVE_V4), "connection.addressFamily")
        case .ipv6: writer.set(family: Int(CURL_IPRESOLVE_V6), "connection.addressFamily")
        }
        switch connection.localAddress {
        case nil: break
        case .interface(let name): writer.set(CURLOPT_INTERFACE, "if!\(name)", "connection.localAddress")
        case .host(let name): writer.set(CURLOPT_INTERFACE, "host!\(name)", "connection.localAddress")
        }
        if let ports = connection.localPorts {
            writer.set(CURLOPT_LOCALPORT, ports.lowerBound, "connection.localPorts")
            writer.set(CURLOPT_LOCALPORTRANGE, ports.count, "connection.localPorts")
        }
        if hosts != nil { set(alternative: nil, on: &writer) }
        // libcurl adds these to the DNS cache once per handle; all handles for HTTP share one cache.
        if let addresses { writer.set(CURLOPT_RESOLVE, list: addresses, "connection.overrides") }
    }

    /// Sets the target of connections: an alternative, or that of the overrides.
    func set(alternative: AlternativeRoute?, on writer: inout EasyWriter) {
        writer.set(CURLOPT_CONNECT_TO, list: alternative?.place ?? hosts, "connection.overrides")
    }

    /// Sets every option on a temporary handle, so that options missing in this libcurl fail by name instead of
    /// silently.
    private func probe() throws(NetError) {
        guard connection != ConnectionConfiguration() || !tls.isStandard || !routes.isDirect else { return }
        guard CurlGlobal.status == CURLE_OK, let raw = curl_easy_init() else { return }
        defer { curl_easy_cleanup(raw) }
        var writer = EasyWriter(raw)
        apply(to: &writer)
        for route in routes.samples { route.apply(to: &writer, replacing: nil, isStream: false) }
        if let problem = writer.problem { throw problem }
    }
}

extension Duration {
    /// The whole seconds, without the fraction; at most `Int32.max`.
    var inWholeSeconds: Int { Int(clamping: min(clampedComponents.seconds, Int64(Int32.max))) }
}
#endif
