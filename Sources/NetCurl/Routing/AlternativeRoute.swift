#if os(Linux)
internal import CCurl
internal import HTTPTypes
internal import NetCore

/// An alternative service (RFC 7838) that is used instead of the origin, as libcurl's options. A class: routes compare
/// it by identity, and libcurl reads the list as long as the handle carries the request.
package final class AlternativeRoute: Sendable {
    let service: AlternativeService
    /// The value of `CURLOPT_CONNECT_TO`: TLS, the certificate and `Host` remain those of the URL, and connections to
    /// the alternative aren't reused for the origin, or the other way around.
    let place: StringList?
    /// The only HTTP version to use with the alternative; nil for that of the transport.
    let version: Int?

    /// The value of `CURL_HTTP_VERSION_3ONLY`, which is missing in the headers of libcurl before 7.88.
    private static let http3Only = 31

    init(_ service: AlternativeService, at target: HostAndPort) {
        self.service = service
        // An empty host and port match every URL: the handle carries only this request.
        place = StringList(["::\(target.host):\(target.port ?? service.port)"])
        version =
            switch service.protocolName {
            case "h3": Self.http3Only
            case "http/1.1": Int(CURL_HTTP_VERSION_1_1)
            default: nil
            }
    }

    /// The value of `Alt-Used` (RFC 7838 section 5).
    var used: String { service.port == 443 ? service.host : service.authority }
}

extension ConnectionSettings {
    /// Returns the first alternative that the request can use; nil if it must use its origin. That's the case with a
    /// proxy, with a Unix socket, and if an override specifies the origin's address.
    func alternative(
        of offer: AltSvcOffer, for head: HTTPRequest, by route: Route, needsHTTP1: Bool
    ) -> AlternativeRoute? {
        guard head.scheme == "https", route.proxy == nil, route.socket == nil,
            let origin = HostAndPort(head.authority ?? ""), override(of: origin.host, origin.port ?? 443) == nil
        else { return nil }
        for service in offer.services {
            guard speaks(service.protocolName, needsHTTP1: needsHTTP1), NetworkAccess.allows(service.authority),
                let place = HostAndPort(service.authority)
            else { continue }
            // libcurl applies `.addresses` itself, for the host that it connects to.
            guard case .host(let text) = override(of: place.host, service.port), var target = HostAndPort(text) else {
                return AlternativeRoute(service, at: place)
            }
            target.port = target.port ?? service.port
            return AlternativeRoute(service, at: target)
        }
        return nil
    }

    private func speaks(_ name: String, needsHTTP1: Bool) -> Bool {
        switch name {
        case "http/1.1": version != .http2PriorKnowledge
        // libcurl sends trailers only over HTTP/1.1.
        case "h2": version != .http1 && !needsHTTP1 && CurlFeatures.current.contains(.http2)
        case "h3": version == .http2OverTLS && !needsHTTP1 && CurlFeatures.hasHTTP3Alone
        default: false
        }
    }

    /// Returns the override for a host and port: one for that host, else one for every host with that port.
    private func override(of host: String, _ port: Int) -> ConnectionConfiguration.Override? {
        var found: ConnectionConfiguration.Override?
        for (key, override) in connection.overrides {
            guard let place = HostAndPort(key), place.port == port else { continue }
            if place.host.lowercased() == host.lowercased() { return override }
            if place.host == "*" { found = override }
        }
        return found
    }
}
#endif
