internal import HTTPTypes
public import NetCore

/// Tells whether a network that looks connected lets requests through, or shows a page of its own first, as networks of
/// hotels and trains do (RFC 8952).
///
/// It requests a URL without TLS, since nobody can answer for a server over TLS, and compares the response with the one that
/// the server gives. It asks once whenever it's called, for instance when a call has failed or the network has changed:
/// there is no URL by default, and nothing is sent by itself.
///
///     let probe = CaptivePortalProbe(url: "http://example.com/generate_204")
///     switch await probe.check() {
///     case .open: print("connected")
///     case .captive(let portal): print("sign in at", portal ?? "any page without TLS")
///     case .unreachable(let error): print(error)
///     }
public struct CaptivePortalProbe: Sendable {
    /// What a probe has found.
    public enum Outcome: Sendable {
        /// The server's own response came.
        case open
        /// Another response came: a redirect, with its target if that is an HTTP URL; a page in place of the server's; or
        /// 511 (RFC 6585 section 6).
        case captive(portal: String?)
        /// No response came.
        case unreachable(NetError)
    }

    /// The URL that is requested.
    public let url: String
    /// The status of the server's own response. Default 204.
    public let status: Int
    /// The body of the server's own response; nil if it doesn't matter. Default nil.
    public let body: Bytes?
    /// The time after which a probe gives up. Default 5 s.
    public let timeout: Duration
    private let client: HTTPClient

    /// The maximum number of bytes that are read of a response: a page is not worth more.
    package static let maximumResponseBytes = 64 << 10

    /// Creates a probe; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - url: A URL without TLS whose response is known, `http://example.com/generate_204`.
    ///   - status: The status of the server's own response. Default 204.
    ///   - body: The body of the server's own response. Default nil: any.
    ///   - timeout: The time after which a probe gives up. Default 5 s.
    ///   - transport: What carries the request. Default nil: the transport that clients share.
    public init(
        url: String, status: Int = 204, body: Bytes? = nil, timeout: Duration = .seconds(5),
        transport: (any HTTPTransport)? = nil
    ) {
        self.url = url
        self.status = status
        self.body = body
        self.timeout = timeout
        // Without cookies, credentials and a cache: a portal is to see none of them.
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
            // A page that is larger than the server's response came from elsewhere.
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
