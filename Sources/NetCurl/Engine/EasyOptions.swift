#if os(Linux)
internal import HTTPTypes
internal import NetCore

/// Everything about an easy handle that differs between transfers: compared with what is set already, so that a pooled
/// handle changes only what it must. A class: transfer and handle hold one object instead of copying its strings.
final class EasyOptions: Sendable {
    /// How a request and its body are announced to libcurl.
    enum Method: Equatable {
        /// No body; libcurl writes no `Content-Length`.
        case bodyless(String)
        /// HEAD: no body comes back either.
        case head
        /// A body from memory, also an empty one: `Content-Length` is written.
        case bytes(String)
        /// A body from the read callback; -1 for an unknown length.
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
    /// In milliseconds.
    let connectTimeout: Int
    /// How long a body waits for `100 Continue`, in milliseconds; 0 for a request that does not ask.
    let expectTimeout: Int
    /// Whether fields may follow the body; libcurl sends them in HTTP/1.1 alone.
    let sendsTrailers: Bool
    /// Whether the URL is `http:`.
    let isPlain: Bool
    /// A small number that the host and port always have; others may share it.
    let hostSlot: Int
    static let hostSlots = 64

    init(head: HTTPRequest, method: Method, route: Route, connectTimeout: Int, expectTimeout: Int, sendsTrailers: Bool)
    {
        self.head = head
        self.method = method
        self.route = route
        self.connectTimeout = connectTimeout
        self.expectTimeout = expectTimeout
        self.sendsTrailers = sendsTrailers
        isPlain = head.scheme == "http"
        // On contiguous bytes: an iterator over a string's costs ten times as much.
        var authority = head.authority ?? ""
        let hash = authority.withUTF8 { $0.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) } }
        hostSlot = Int((hash ^ hash >> 16) % UInt32(Self.hostSlots))
    }

    /// Whether a proxy is in between that is spoken to by TLS.
    var isBehindTLSProxy: Bool { route.proxy?.address.scheme == .https }

    /// Built only where a handle carried another one before.
    var url: String {
        PreparedRequest.url(scheme: head.scheme ?? "http", authority: head.authority ?? "", path: head.path ?? "/")
    }

    /// Whether the host is an IPv6 address with a zone.
    var hasZone: Bool { head.authority?.utf8.contains(UInt8(ascii: "%")) ?? false }

    /// The request's target where newer libcurl would write it otherwise than it stands in the URL: it forgets the question
    /// mark of an empty query (8.14), and writes escapes in capitals (8.21). nil where it has neither.
    var target: String? {
        guard var path = head.path, path.withUTF8({ $0.last == UInt8(ascii: "?") || $0.contains(UInt8(ascii: "%")) })
        else { return nil }
        return route.forwards(isPlain: isPlain) ? url : path
    }

    func isSame(as other: EasyOptions) -> Bool {
        hasSameURL(as: other) && method == other.method && route == other.route
            && connectTimeout == other.connectTimeout && expectTimeout == other.expectTimeout
            && sendsTrailers == other.sendsTrailers && hasSameFields(as: other)
    }

    func hasSameURL(as other: EasyOptions) -> Bool {
        head.path == other.head.path && head.authority == other.head.authority && head.scheme == other.head.scheme
    }

    /// Whether both may use the same connections: those to one host, or to a proxy that forwards both.
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

    /// The field lines for libcurl, and a line for each field that it would otherwise add by itself.
    func fieldLines(expects: Bool = true) -> [FieldLine] {
        var lines: [FieldLine] = []
        lines.reserveCapacity(head.headerFields.count + 3)
        var names: Set<String> = []
        for field in head.headerFields {
            let name = field.name.canonicalName
            // libcurl frames the body; a second opinion from a field would break the message.
            if name == "content-length" || name == "transfer-encoding" { continue }
            // Whether the body waits is an option of the request: libcurl would wait for this field alone too.
            if name == "expect" { continue }
            // One line, whatever they came as: HTTP/2 alone allows several (RFC 6265 section 5.4).
            if name == "cookie" {
                if names.insert(name).inserted { lines.append(.text("Cookie: \(cookies)")) }
                continue
            }
            names.insert(name)
            lines.append(FieldLine(field))
        }
        if !names.contains("accept") { lines.append(.text("Accept:")) }
        // Without a body libcurl adds neither, and looks through all lines for each field that it knows: two lines less save
        // 2% of a small request.
        if method.hasBody {
            lines.append(.text(expects && expectTimeout > 0 ? "Expect: 100-continue" : "Expect:"))
            if !names.contains("content-type") { lines.append(.text("Content-Type:")) }
        }
        return lines
    }
}
#endif
