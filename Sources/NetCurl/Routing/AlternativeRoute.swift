#if os(Linux)
internal import CCurl
internal import HTTPTypes
internal import NetCore

/// An alternative service that takes the origin's connection (RFC 7838), in libcurl's words. A class: routes compare it by
/// identity, and libcurl reads the list for as long as the handle carries the request.
package final class AlternativeRoute: Sendable {
    let service: AlternativeService
    /// `CURLOPT_CONNECT_TO`: TLS, the certificate and `Host` stay those of the URL, and connections to the one place never
    /// serve the other.
    let place: StringList?
    /// Which version is spoken there and no other; nil for the transport's own choice.
    let version: Int?

    /// `CURL_HTTP_VERSION_3ONLY`, which the headers of libcurl before 7.88 do not have.
    private static let http3Only = 31

    init(_ service: AlternativeService, at target: HostAndPort) {
        self.service = service
        // Without a host and a port of the URL: the handle carries this one request.
        place = StringList(["::\(target.host):\(target.port ?? service.port)"])
        version =
            switch service.protocolName {
            case "h3": Self.http3Only
            case "http/1.1": Int(CURL_HTTP_VERSION_1_1)
            default: nil
            }
    }

    /// What `Alt-Used` says (section 5).
    var used: String { service.port == 443 ? service.host : service.authority }
}

extension ConnectionSettings {
    /// The first alternative that a request can take; nil where it goes to its origin. So it does through a proxy, by a Unix
    /// socket, and where an override says by hand where that origin is.
    func alternative(
        of offer: AltSvcOffer, for head: HTTPRequest, by route: Route, sendsTrailers: Bool
    ) -> AlternativeRoute? {
        guard head.scheme == "https", route.proxy == nil, route.socket == nil,
            let origin = HostAndPort(head.authority ?? ""), override(of: origin.host, origin.port ?? 443) == nil
        else { return nil }
        for service in offer.services {
            guard speaks(service.protocolName, sendsTrailers: sendsTrailers), NetworkAccess.allows(service.authority),
                let place = HostAndPort(service.authority)
            else { continue }
            // `.addresses` libcurl knows itself, by the place that it connects to.
            guard case .host(let text) = override(of: place.host, service.port), var target = HostAndPort(text) else {
                return AlternativeRoute(service, at: place)
            }
            target.port = target.port ?? service.port
            return AlternativeRoute(service, at: target)
        }
        return nil
    }

    private func speaks(_ name: String, sendsTrailers: Bool) -> Bool {
        switch name {
        case "http/1.1": version != .http2PriorKnowledge
        // libcurl sends trailers in HTTP/1.1 alone.
        case "h2": version != .http1 && !sendsTrailers && CurlFeatures.current.contains(.http2)
        case "h3": version == .http2OverTLS && !sendsTrailers && CurlFeatures.hasHTTP3Alone
        default: false
        }
    }

    /// What was set by hand for a place, itself or every host of that port.
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
