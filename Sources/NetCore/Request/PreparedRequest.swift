public import HTTPTypes

/// A complete and validated request: method, URL, headers and body as they're sent.
///
/// It isn't validated again later. Middleware changes it as a value; its description contains no secrets.
public struct PreparedRequest: Sendable {
    /// A single reference, since a request is copied at every step and changed at only a few of them.
    ///
    /// `@unchecked Sendable`: a variable changes only while a single request refers to this object.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @usableFromInline @exclusivity(unchecked) var head: HTTPRequest
        @usableFromInline @exclusivity(unchecked) var body: RequestBody.Content
        @usableFromInline @exclusivity(unchecked) var options: RequestOptions

        init(head: HTTPRequest, body: RequestBody.Content, options: RequestOptions) {
            self.head = head
            self.body = body
            self.options = options
        }
    }

    @usableFromInline var storage: Storage

    @usableFromInline
    mutating func makeUnique() {
        if isKnownUniquelyReferenced(&storage) { return }
        storage = Storage(head: storage.head, body: storage.body, options: storage.options)
    }

    // Inlined, so that reading one property copies only that one. Copying all of them costs more than a middleware.

    /// The method, scheme, authority, path with query, and headers.
    @inlinable public var head: HTTPRequest {
        get { storage.head }
        _modify {
            makeUnique()
            yield &storage.head
        }
    }

    /// The body.
    @inlinable public var body: RequestBody.Content {
        get { storage.body }
        _modify {
            makeUnique()
            yield &storage.body
        }
    }

    /// The options for sending and validation.
    @inlinable public var options: RequestOptions {
        get { storage.options }
        _modify {
            makeUnique()
            yield &storage.options
        }
    }

    /// Creates a request from its parts without validating them; the head must have a scheme, an authority and a path.
    public init(head: HTTPRequest, body: RequestBody.Content = .none, options: RequestOptions = RequestOptions()) {
        storage = Storage(head: head, body: body, options: options)
    }

    /// The whole URL, including secrets.
    public var url: String {
        Self.url(scheme: head.scheme ?? "http", authority: head.authority ?? "", path: head.path ?? "/")
    }

    /// Returns the URL with these parts. Copies them into one string in a single pass, because appending them one by
    /// one costs three times as much.
    package static func url(scheme: String, authority: String, path: String) -> String {
        let count = scheme.utf8.count + 3 + authority.utf8.count + path.utf8.count
        return String(unsafeUninitializedCapacity: count) { buffer in
            var end = buffer.initialize(fromContentsOf: scheme.utf8)
            end = buffer[end...].initialize(fromContentsOf: "://".utf8)
            end = buffer[end...].initialize(fromContentsOf: authority.utf8)
            return buffer[end...].initialize(fromContentsOf: path.utf8)
        }
    }

    /// The scheme, host and port in lowercase, to which credentials are bound (RFC 6454).
    public var origin: String {
        Authority.origin(scheme: head.scheme ?? "http", authority: head.authority ?? "")
    }

    /// Returns true if the URL has the same origin. Compares the parts first: they're usually equal, and comparing them
    /// creates no strings.
    package func isSameOrigin(as url: BaseURL) -> Bool {
        head.scheme == url.scheme && head.authority == url.authority || origin == url.origin
    }

    /// True if the body can be sent more than once.
    public var isReplayable: Bool {
        switch body {
        case .none, .bytes: true
        case .stream(_, let isReplayable, _): isReplayable
        }
    }

    /// The length of the body in bytes; nil if it's unknown.
    public var bodyLength: Int64? {
        switch body {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .stream(let length, _, _): length
        }
    }
}

extension PreparedRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the redacted URL.
    public var description: String {
        "\(head.method.rawValue) \((options.redaction ?? .safeDefault).redact(url: url))"
    }

    /// Only the description, since headers and body may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
