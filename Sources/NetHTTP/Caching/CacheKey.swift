internal import HTTPTypes
public import NetCore
internal import NetCrypto

/// The key that responses are stored under: the normalized URL of the request (RFC 3986 section 6.2.2), the partition
/// and the login.
///
/// Scheme and host are lower-cased, the scheme's default port is omitted, percent-encoded letters are decoded where
/// that's allowed, and dots in the path are resolved.
///
///     let request = PreparedRequest(
///         head: HTTPRequest(method: .get, scheme: "HTTP", authority: "Example.com:80", path: "/%7ea"))
///     print(CacheKey(request).url)  // http://example.com/~a
public struct CacheKey: Sendable, Hashable, CustomStringConvertible {
    /// The normalized URL, including secrets.
    public let url: String
    /// Keeps apart responses with the same URL, such as those of different tenants or languages. Default none.
    public let partition: String
    /// The login that the responses belong to. Default ``NetCore/CallIdentity/everyone``.
    public let identity: CallIdentity

    /// Creates the key of a request.
    public init(_ request: PreparedRequest, partition: String = "", identity: CallIdentity = .everyone) {
        self.identity = identity
        let head = request.head
        let (origin, path) = (request.origin, head.path ?? "/")
        url = origin + (Self.isNormal(path) ? path : Self.normalised(path))
        self.partition = partition
    }

    /// Creates the key of a URL; nil if it isn't absolute.
    public init?(url: String, partition: String = "", identity: CallIdentity = .everyone) {
        self.identity = identity
        let reference = URLReference(url)
        guard let scheme = reference.scheme, let authority = reference.authority else { return nil }
        let path = (reference.path.isEmpty ? "/" : reference.path) + (reference.query.map { "?" + $0 } ?? "")
        self.url = Authority.origin(scheme: scheme, authority: authority) + Self.normalised(path)
        self.partition = partition
    }

    /// Returns a name for a persistent store, such as a file name or a row ID: a keyed hash of the URL, the partition
    /// and the login (HMAC-SHA-256), in hexadecimal.
    ///
    /// Nil if only this process knows the login, such as one derived from a credential: don't persist anything for
    /// such a key.
    ///
    /// - Parameter secret: Random bytes that belong to the store and that only its owner can read.
    public func name(secret: Bytes) -> String? {
        guard identity.isLasting else { return nil }
        var writer = CacheRecordWriter()
        for text in [url, partition, identity.seal ?? ""] + identity.names { writer.write(text) }
        return RunningHash.authentication(of: Bytes(writer.bytes), key: secret)?.hexadecimal
    }

    /// Creates the key of a stored entry.
    init(stored url: String, partition: String, identity: CallIdentity) {
        self.url = url
        self.partition = partition
        self.identity = identity
    }

    /// The key under which a persistent store keeps this one.
    func sealed(_ identity: CallIdentity) -> CacheKey {
        CacheKey(stored: url, partition: partition, identity: identity)
    }

    /// The key of the same URL for one method and body.
    func with(_ seal: String) -> CacheKey {
        CacheKey(stored: url, partition: "\(partition)\u{0}\(seal)", identity: identity)
    }

    /// True if `with(_:)` created this key from the other one. Ignores the login, since a store may know only its
    /// hash.
    func isForBody(under other: CacheKey) -> Bool {
        url == other.url && partition.hasPrefix(other.partition + "\u{0}")
    }

    /// Returns a hash that distinguishes requests with one URL by method and body; nil if the body isn't known before
    /// it's sent.
    static func seal(of request: PreparedRequest) -> String? {
        let body: Bytes
        switch request.body {
        case .none: body = Bytes()
        case .bytes(let bytes): body = bytes
        case .stream: return nil
        }
        var writer = CacheRecordWriter()
        writer.write(request.head.method.rawValue)
        writer.write(request.head.headerFields[.contentType] ?? "")
        writer.write(bytes: body)
        return RunningHash.digest(of: Bytes(writer.bytes), .sha256)?.hexadecimal
    }

    /// Returns a function for ``CacheMiddleware/Configuration/keyURL`` that removes query items, such as those that
    /// campaigns add.
    ///
    ///     let configuration = CacheMiddleware.Configuration(keyURL: CacheKey.withoutQuery { $0.hasPrefix("utm_") })
    ///
    /// - Parameter isLeftOut: Returns true for the decoded name of an item that isn't part of the key.
    public static func withoutQuery(
        _ isLeftOut: @escaping @Sendable (_ name: String) -> Bool
    ) -> @Sendable (String) -> String {
        { url in
            var reference = URLReference(url)
            guard let query = reference.query else { return url }
            let kept = query.split(separator: "&", omittingEmptySubsequences: false).filter { item in
                let name = String(item.prefix { $0 != "=" })
                return !isLeftOut(PercentEncoding.decode(name))
            }
            reference.query = kept.isEmpty ? nil : kept.joined(separator: "&")
            return reference.description
        }
    }

    /// The key of the same URL without a login.
    var forEveryone: CacheKey { sealed(.everyone) }

    /// Scheme, host and port.
    public var origin: String {
        let parts = url.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count > 2 ? "\(Substring(parts[0]))//\(Substring(parts[2]))" : url
    }

    /// The URL without its secrets.
    public var description: String { RedactionPolicy.safeDefault.redact(url: url) }

    /// The key of a reference in a response, if it has the same origin.
    func sibling(_ reference: String) -> CacheKey? {
        let target = URLReference(reference).resolved(against: URLReference(url)).description
        guard let key = CacheKey(url: target, partition: partition, identity: identity), key.origin == origin else {
            return nil
        }
        return key
    }

    /// True if the path certainly needs no normalization: most paths have neither a percent sign nor a dot after a
    /// slash.
    private static func isNormal(_ path: String) -> Bool {
        var previous = UInt8(0)
        for byte in path.utf8 {
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "#") { return false }
            if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") { return false }
            previous = byte
        }
        return path.utf8.first == UInt8(ascii: "/")
    }

    private static func normalised(_ path: String) -> String {
        // A path may begin with two slashes; without a base it would be taken for a host.
        let base = "http://host"
        var target = URLReference(base + (path.hasPrefix("/") ? path : "/" + path)).resolved(
            against: URLReference(base))
        target.path = decoded(target.path)
        target.query = target.query.map(decoded)
        return target.path + (target.query.map { "?" + $0 } ?? "")
    }

    /// Decodes the percent-encoded bytes that need no encoding, and capitalizes the other escapes. A text with an
    /// invalid escape stays unchanged: decoded, it might equal another text.
    private static func decoded(_ text: String) -> String {
        var output: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                output.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return text
            }
            let value = high << 4 | low
            if isUnreserved(value) {
                output.append(value)
            } else {
                let digits = Array("0123456789ABCDEF".utf8)
                output += [byte, digits[Int(high)], digits[Int(low)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }

    /// The characters that RFC 3986 calls unreserved, except the dot: decoded, it might refer to the parent folder.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "-_~".utf8.contains(byte)
        }
    }
}
