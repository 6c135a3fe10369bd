public import HTTPTypes

/// A request that is complete and valid: method, URL, fields and body as they go out.
///
/// Nothing later checks it again. Middleware changes it as a value; printing it shows no secrets.
public struct PreparedRequest: Sendable {
    /// One reference: a request is copied at every step of its way, and changed at few.
    ///
    /// `@unchecked Sendable`: a variable changes only while one request alone refers to it.
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

    // Inlined: who reads one option then copies that one alone. All of them cost more than a middleware.

    /// Method, scheme, authority, path with query, and fields.
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

    /// How it is sent and judged.
    @inlinable public var options: RequestOptions {
        get { storage.options }
        _modify {
            makeUnique()
            yield &storage.options
        }
    }

    /// Takes the parts as they are; the head must have a scheme, an authority and a path.
    public init(head: HTTPRequest, body: RequestBody.Content = .none, options: RequestOptions = RequestOptions()) {
        storage = Storage(head: head, body: body, options: options)
    }

    /// The whole URL, secrets and all.
    public var url: String {
        Self.url(scheme: head.scheme ?? "http", authority: head.authority ?? "", path: head.path ?? "/")
    }

    /// The parts copied once into one text: appending them one by one costs three times as much.
    package static func url(scheme: String, authority: String, path: String) -> String {
        let count = scheme.utf8.count + 3 + authority.utf8.count + path.utf8.count
        return String(unsafeUninitializedCapacity: count) { buffer in
            var end = buffer.initialize(fromContentsOf: scheme.utf8)
            end = buffer[end...].initialize(fromContentsOf: "://".utf8)
            end = buffer[end...].initialize(fromContentsOf: authority.utf8)
            return buffer[end...].initialize(fromContentsOf: path.utf8)
        }
    }

    /// Scheme, host and port, lower-cased: what credentials are bound to (RFC 6454).
    public var origin: String {
        Authority.origin(scheme: head.scheme ?? "http", authority: head.authority ?? "")
    }

    /// Whether that URL has the same origin. Most have the same parts too, and then no text is made.
    package func isSameOrigin(as url: BaseURL) -> Bool {
        head.scheme == url.scheme && head.authority == url.authority || origin == url.origin
    }

    /// Whether the body can be sent more than once.
    public var isReplayable: Bool {
        switch body {
        case .none, .bytes: true
        case .stream(_, let isReplayable, _): isReplayable
        }
    }

    /// The length of the body, where it is known.
    public var bodyLength: Int64? {
        switch body {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .stream(let length, _, _): length
        }
    }
}

extension PreparedRequest: CustomStringConvertible, CustomReflectable {
    /// Method and redacted URL.
    public var description: String {
        "\(head.method.rawValue) \((options.redaction ?? .safeDefault).redact(url: url))"
    }

    /// The description alone: fields and body may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
