/// The URL that paths are joined to: `https://api.example.com/v1?key=x`.
///
/// An invalid literal doesn't trap; the first request that uses it throws `.invalidRequest`. Other text is checked
/// immediately: `try BaseURL(text)`. One rule applies to characters that a URL can't contain (RFC 3986 section 2): if they
/// can be meant in only one way, they are percent-encoded, otherwise they are rejected. Encoded are `|^{}`, the backquote,
/// and a `%` that isn't followed by two hexadecimal digits, in a path or a query. Rejected are spaces, control characters
/// and `"<>\`, which end a URL in a text or mean a slash to browsers, and characters outside ASCII, whose encoding depends
/// on the server.
public struct BaseURL: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible, CustomReflectable {
    /// `http` or `https`, also for a `ws` or `wss` URL, which identifies the same server (RFC 6455 section 3).
    public let scheme: String
    /// True for `ws` and `wss`: the URL opens a WebSocket.
    package let isWebSocket: Bool
    /// The host and port, without user and password, and without the colon of an empty port.
    public let authority: String
    /// The path, percent-encoded, without trailing slashes.
    public let path: String
    /// The query, percent-encoded, without `?`; nil if it's absent or empty.
    public let query: String?
    /// The path with its trailing slashes, for an absolute URL and for a request without its own path.
    let wholePath: String
    /// True if the URL ends in a `?` that nothing follows.
    let endsInMark: Bool
    /// The reason why the text isn't a usable URL; nil for a valid one.
    package let problem: String?

    /// Parses an absolute URL; throws `.invalidRequest` with the reason if it isn't valid.
    public init(_ url: some URLConvertible) throws(NetError) {
        self.init(unchecked: url)
        if let problem { throw NetError(.invalidRequest, phase: .preparing, message: problem) }
    }

    public init(stringLiteral value: String) {
        self.init(unchecked: value)
    }

    /// Parses an absolute URL. If it isn't valid, keeps the reason for the request that uses it.
    package init(unchecked url: some URLConvertible) {
        if let url = url as? BaseURL {
            self = url
            return
        }
        var text = url.urlText
        self = text.withUTF8 { BaseURL(bytes: $0) }
    }

    /// Visits each byte about twice, and copies only the parts that are kept.
    private init(bytes text: UnsafeBufferPointer<UInt8>) {
        let schemeEnd = Self.schemeEnd(text)
        let known = schemeEnd.map { Self.knownScheme(text[..<$0]) } ?? nil
        isWebSocket = known != nil && text[0] | 0x20 == UInt8(ascii: "w")
        scheme = known ?? Self.text(text[..<(schemeEnd ?? 0)]).lowercased()
        var rest = text[(schemeEnd.map { $0 + 3 } ?? 0)...]
        if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
        let all = rest
        var query = rest[rest.endIndex...]
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(mark + 1)...]
            rest = rest[..<mark]
        }
        endsInMark = query.isEmpty && all.last == UInt8(ascii: "?")
        let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        let authority = rest[..<slash]
        var path = rest[slash...]
        let whole = Self.escaped(path)
        let length = path.count
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        wholePath = whole
        let user = authority.lastIndex(of: UInt8(ascii: "@"))
        var place = user.map { authority[($0 + 1)...] } ?? authority
        // A colon without a port has no meaning (RFC 3986 section 6.2.3).
        if place.last == UInt8(ascii: ":"), Authority.portColon(in: place) == place.endIndex - 1 { place.removeLast() }
        self.authority = Self.text(place)
        self.path = path.count == length ? whole : Self.escaped(path)
        self.query = query.isEmpty ? nil : Self.escaped(query)
        problem =
            known == nil ? Self.schemeProblem(text) : Self.problem(authority: authority, all: all)
    }

    private typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    private static func text(_ bytes: Text) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Returns text with all bytes outside `reserved` escaped, since a URL can't contain them. Existing escapes are
    /// kept.
    private static func escaped(_ bytes: Text) -> String { PercentEncoding.encode(text(bytes), allowing: .reserved) }

    /// Returns the index of the first `://`.
    private static func schemeEnd(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        while index + 2 < text.count {
            if text[index] == UInt8(ascii: ":"), text[index + 1] == UInt8(ascii: "/"),
                text[index + 2] == UInt8(ascii: "/")
            {
                return index
            }
            index += 1
        }
        return nil
    }

    private static func knownScheme(_ bytes: Text) -> String? {
        switch bytes.count {
        case 4: matches(bytes, "http") ? "http" : nil
        case 5: matches(bytes, "https") ? "https" : nil
        case 2: matches(bytes, "ws") ? "http" : nil
        case 3: matches(bytes, "wss") ? "https" : nil
        default: nil
        }
    }

    private static func matches(_ bytes: Text, _ wanted: StaticString) -> Bool {
        for (offset, byte) in bytes.enumerated() where byte | 0x20 != wanted.utf8Start[offset] { return false }
        return true
    }

    private static func schemeProblem(_ text: UnsafeBufferPointer<UInt8>) -> String {
        // Only the first word: the rest may contain a password.
        let start = String(decoding: text, as: UTF8.self).prefix(24).prefix {
            $0.isLetter || $0.isNumber || $0 == "." || $0 == "-"
        }
        return "a URL must start with \(schemes), this one starts with \"\(start)\""
    }

    private static let schemes = "http:// or https://"

    /// The reason why the URL can't be used for a WebSocket, whose schemes have names of their own; nil if it can.
    var webSocketProblem: String? { problem?.replacing(Self.schemes, with: "ws:// or wss://") }

    private static func problem(authority: Text, all: Text) -> String? {
        if authority.contains(UInt8(ascii: "@")) {
            return "the URL contains a user or password; send them in an Authorization header instead"
        }
        if let problem = hostProblem(authority) { return problem }
        guard all.contains(where: isForbidden) else { return nil }
        let bad = text(all).unicodeScalars.first { $0.value > 127 || isForbidden(UInt8(truncatingIfNeeded: $0.value)) }
        return "the URL has the character U+\(String(bad?.value ?? 0, radix: 16, uppercase: true)), "
            + "which must be percent-encoded or, in a host, written in its ASCII form (xn--)"
    }

    private static func hostProblem(_ authority: Text) -> String? {
        if authority.first == UInt8(ascii: "["), !authority.contains(UInt8(ascii: "]")) {
            return "the URL's host has an opening bracket without a closing one; write an IPv6 address in [brackets]"
        }
        var (host, port) = (authority, authority[authority.endIndex...])
        if let colon = Authority.portColon(in: authority) {
            (host, port) = (authority[..<colon], authority[(colon + 1)...])
        }
        if host.isEmpty { return "the URL has no host" }
        var number = 0
        for byte in port {
            number = byte >= 48 && byte <= 57 ? number * 10 + Int(byte - 48) : 65_536
            // The message omits this text: if a password contains a slash, the text is part of the password.
            if number > 65_535 { return "the URL's port isn't a number from 0 to 65535" }
        }
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]"), host.count > 3 {
            let isAddress = host.dropFirst().dropLast().allSatisfy {
                switch $0 {
                case 48...58, 46, 65...70, 97...102: true
                default: false
                }
            }
            return isAddress ? nil : "the URL's host \"\(text(host))\" isn't an IPv6 address"
        }
        let isBad = host.contains {
            switch $0 {
            case UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"), UInt8(ascii: ","),
                UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "^"),
                UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "}"):
                true
            default: false
            }
        }
        return isBad
            ? "the URL's host \"\(text(host))\" isn't a valid host name; write an IPv6 address in [brackets]" : nil
    }

    private static func isForbidden(_ byte: UInt8) -> Bool {
        byte <= 32 || byte >= 127 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<")
            || byte == UInt8(ascii: ">")
            || byte == UInt8(ascii: "\\")
    }

    /// The scheme, host, port and path; for an invalid URL, without anything that looks like a user or a password.
    public var description: String {
        let text = "\(scheme)://\(authority)\(path)"
        return problem == nil ? text : RedactionPolicy.safeDefault.redact(url: text)
    }

    /// Only the description, since a query may contain a secret.
    public var customMirror: Mirror { Mirror(self, children: ["url": description]) }

    /// The path and query that an absolute URL requests. An empty query keeps its `?`, since that is a different URL
    /// (RFC 3986 section 6.2.3).
    package var target: String {
        (wholePath.isEmpty ? "/" : wholePath) + (query.map { "?" + $0 } ?? (endsInMark ? "?" : ""))
    }

    /// The scheme, host and port in lowercase, without a default port.
    public var origin: String { Authority.origin(scheme: scheme, authority: authority) }
}
