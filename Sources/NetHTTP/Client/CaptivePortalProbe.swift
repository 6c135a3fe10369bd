internal import HTTPTypes
public import NetCore

/// Detects captive portals: networks that intercept requests and show their own page first, as in hotels and on
/// trains (RFC 8952).
///
/// It requests a URL without TLS, since a portal can't impersonate a server over TLS, and compares the response with
/// the one expected from the server. It sends one request each time ``check()`` is called, for instance after a call
/// has failed or the network has changed. It has no default URL, and sends nothing on its own.
///
///     let probe = CaptivePortalProbe(url: "http://example.com/generate_204")
///     switch await probe.check() {
///     case .open: print("connected")
///     case .captive(let portal): print("sign in at", portal ?? "any page without TLS")
///     case .unreachable(let error): print(error)
///     }
public struct CaptivePortalProbe: Sendable {
    /// The result of a probe.
    public enum Outcome: Sendable {
        /// The expected response arrived.
        case open
        /// A different response arrived: a redirect, with its target if that is an HTTP URL; a page in place of the
        /// server's; or 511 (RFC 6585 section 6).
        case captive(portal: String?)
        /// No response arrived.
        case unreachable(NetError)
    }

    /// The URL to request.
    public let url: String
    /// The expected status. Default 204.
    public let status: Int
    /// The expected body; nil if any body is accepted. Default nil.
    public let body: Bytes?
    /// The timeout of a probe. Default 5 s.
    public let timeout: Duration
    private let client: HTTPClient

    /// The maximum number of bytes read from a response; more of a page isn't needed.
    package static let maximumResponseBytes = 64 << 10

    /// Creates a probe; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - url: A URL without TLS whose response is known, such as `http://example.com/generate_204`.
    ///   - status: The expected status. Default 204.
    ///   - body: The expected body. Default nil: any.
    ///   - timeout: The timeout of a probe. Default 5 s.
    ///   - transport: The transport for the request. Default nil: the shared default transport.
    public init(
        url: String, status: Int = 204, body: Bytes? = nil, timeout: Duration = .seconds(5),
        transport: (any HTTPTransport)? = nil
    ) {
        self.url = url
        self.status = status
        self.body = body
        self.timeout = timeout
        // Without cookies, credentials and a cache: a portal must not see any of them.
        client = transport.map { HTTPClient(baseURL: url, transport: $0) } ?? HTTPClient(baseURL: url)
    }

    /// Sends the request and compares the response. A cancelled task gets `.unreachable` with `.cancelled`.
    public func check() async -> Outcome {
        var request = Request<Bytes>(url: url, serializer: .bytes)
        request.headers[.cacheControl] = "no-cache"
        request.options.redirects = .manual
        request.options.retry = .never
        request.options.cachePolicy = .noStore
        request.options.timeouts = .total(timeout)
        request.options.maximumResponseBytes = Self.maximumResponseBytes
        do throws(NetError) {
            let response = try await client.raw(request)
            let code = response.status.code
            if code == status, body == nil || response.value == body { return .open }
            return .captive(portal: (300..<400).contains(code) ? portal(response.head[.location]) : nil)
        } catch {
            // A page that is larger than the server's response isn't the server's.
            return error.code == .bodyTooLarge ? .captive(portal: nil) : .unreachable(error)
        }
    }

    private func portal(_ location: String?) -> String? {
        guard let location else { return nil }
        let target = URLReference(location).resolved(against: URLReference(url))
        return target.scheme == "http" || target.scheme == "https" ? target.description : nil
    }
}

extension CaptivePortalProbe: CustomStringConvertible, CustomReflectable {
    /// The URL without its secrets.
    public var description: String { "CaptivePortalProbe(\(RedactionPolicy.safeDefault.redact(url: url)))" }
    public var customMirror: Mirror { Mirror(self, children: ["probe": description]) }
}
