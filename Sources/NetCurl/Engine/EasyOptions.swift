#if os(Linux)
internal import HTTPTypes
internal import NetCore

/// The options of an easy handle that differ between transfers. They're compared with those already set, so that a
/// pooled handle changes only what it must. A class, so that transfer and handle share one object instead of copying
/// its strings.
final class EasyOptions: Sendable {
    /// The method of a request and the source of its body, as libcurl distinguishes them.
    enum Method: Equatable {
        /// No body; libcurl writes no `Content-Length`.
        case bodyless(String)
        /// HEAD; the response has no body either.
        case head
        /// A body in memory, possibly empty; libcurl writes `Content-Length`.
        case bytes(String)
        /// A body from the read callback; a length of -1 means unknown.
        case upload(String, length: Int64)

        var hasBody: Bool {
            switch self {
            case .bodyless, .head: false
            case .bytes, .upload: true
            }
        }
    }

    private let head: HTTPRequest
    let method: Method
    let route: Route
    /// The connect timeout in milliseconds.
    let connectTimeout: Int
    /// The time that a body waits for `100 Continue`, in milliseconds; 0 for a request without an expectation.
    let expectTimeout: Int
    /// True if trailers may follow the body; libcurl sends them only over HTTP/1.1.
    let sendsTrailers: Bool
    /// True if HTTP/1.1 must carry the request: for trailers, or for a separate connection.
    let needsHTTP1: Bool
    /// True if HTTP/1.1 carries the request unless the server takes only HTTP/2: a response that arrives before the body
    /// was sent would be lost.
    let prefersHTTP1: Bool
    /// True if the URL's scheme is `http`.
    let isPlain: Bool
    /// A hash of the host and port, below ``hostSlots``. Different hosts may have the same slot.
    let hostSlot: Int
    static let hostSlots = 64

    init(
        head: HTTPRequest, method: Method, route: Route, connectTimeout: Int, expectTimeout: Int, sendsTrailers: Bool,
        needsHTTP1: Bool, prefersHTTP1: Bool
    ) {
        self.head = head
        self.method = method
        self.route = route
        self.connectTimeout = connectTimeout
        self.expectTimeout = expectTimeout
        self.sendsTrailers = sendsTrailers
        self.needsHTTP1 = needsHTTP1
        self.prefersHTTP1 = prefersHTTP1
        isPlain = head.scheme == "http"
        // On contiguous bytes: iterating over a string's UTF-8 view costs ten times as much.
        var authority = head.authority ?? ""
        let hash = authority.withUTF8 { $0.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) } }
        hostSlot = Int((hash ^ hash >> 16) % UInt32(Self.hostSlots))
    }

    /// True if HTTP/1.1 carries the request.
    var usesHTTP1: Bool { needsHTTP1 || prefersHTTP1 }

    /// True if the request goes through an HTTPS proxy.
    var isBehindTLSProxy: Bool { route.proxy?.address.scheme == .https }

    /// The URL, built only if the handle had a different one before.
    var url: String {
        PreparedRequest.url(scheme: head.scheme ?? "http", authority: head.authority ?? "", path: head.path ?? "/")
    }

    /// True if the host is an IPv6 address with a zone.
    var hasZone: Bool { head.authority?.utf8.contains(UInt8(ascii: "%")) ?? false }

    /// The request target, if newer libcurl might not send it as it is in the URL: it drops the question mark of an
    /// empty query (8.14), and writes percent-escapes in uppercase (8.21). nil if the URL has neither.
    var target: String? {
        guard var path = head.path, path.withUTF8({ $0.last == UInt8(ascii: "?") || $0.contains(UInt8(ascii: "%")) })
        else { return nil }
        return route.forwards(isPlain: isPlain) ? url : path
    }

    func isSame(as other: EasyOptions) -> Bool {
        hasSameURL(as: other) && method == other.method && route == other.route
            && connectTimeout == other.connectTimeout && expectTimeout == other.expectTimeout
            && sendsTrailers == other.sendsTrailers && usesHTTP1 == other.usesHTTP1 && hasSameFields(as: other)
    }

    func hasSameURL(as other: EasyOptions) -> Bool {
        head.path == other.head.path && head.authority == other.head.authority && head.scheme == other.head.scheme
    }

    /// True if both may use the same connections: those to the same host, or to a proxy that forwards both.
    func usesConnections(of other: EasyOptions) -> Bool {
        if hostSlot == other.hostSlot, isPlain == other.isPlain, head.authority == other.head.authority { return true }
        guard let proxy = route.proxy, proxy === other.route.proxy else { return false }
        return route.forwards(isPlain: isPlain) && other.route.forwards(isPlain: other.isPlain)
    }

    func hasSameFields(as other: EasyOptions) -> Bool {
        head.headerFields == other.head.headerFields && (expectTimeout > 0) == (other.expectTimeout > 0)
            && method.hasBody == other.method.hasBody
    }

    private var cookies: String {
        head.headerFields.lazy.filter { $0.name == .cookie }.map(\.value).joined(separator: "; ")
    }

    /// Returns the header lines for libcurl, including one for each header that it would otherwise add on its own.
    func fieldLines(expects: Bool = true) -> [FieldLine] {
        var lines: [FieldLine] = []
        lines.reserveCapacity(head.headerFields.count + 3)
        var names: Set<String> = []
        for field in head.headerFields {
            let name = field.name.canonicalName
            // libcurl frames the body; a contradicting header would break the message.
            if name == "content-length" || name == "transfer-encoding" { continue }
            // `expectTimeout` controls whether the body waits; this header by itself would also make libcurl wait.
            if name == "expect" { continue }
            // A single line for all cookies: only HTTP/2 allows several (RFC 6265 section 5.4).
            if name == "cookie" {
                if names.insert(name).inserted { lines.append(.text("Cookie: \(cookies)")) }
                continue
            }
            names.insert(name)
            lines.append(FieldLine(field))
        }
        if !names.contains("accept") { lines.append(.text("Accept:")) }
        // Without a body, libcurl adds neither header. It searches all lines for each header that it knows, so two
        // lines fewer save 2% of a small request.
        if method.hasBody {
            lines.append(.text(expects && expectTimeout > 0 ? "Expect: 100-continue" : "Expect:"))
            if !names.contains("content-type") { lines.append(.text("Content-Type:")) }
        }
        return lines
    }
}
#endif
