internal import NetCore

/// Span names and attribute values according to OpenTelemetry's semantic conventions for HTTP.
///
/// `CallSpans` of NetObserve uses the same names for tracers within the process: the two must agree.
enum OTLPNames {
    private static let methods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE", "QUERY",
    ]

    /// Returns a standard method unchanged, and `_OTHER` for any other.
    static func method(_ method: String) -> String { methods.contains(method) ? method : "_OTHER" }

    /// Returns the name of a call or an attempt: the method, and the operation if it has one.
    static func request(_ method: String?, _ operation: String?) -> String {
        let verb = method.map { methods.contains($0) ? $0 : "HTTP" } ?? "HTTP"
        return operation.map { "\(verb) \($0)" } ?? verb
    }

    /// The traffic of a WebSocket, parsed from the detail text of its entry.
    struct SocketTraffic {
        private(set) var subprotocol: String?
        private(set) var sent, received: Int?

        /// Parses `subprotocol v1, 3 messages sent, 4 received`.
        init(_ detail: String) {
            for part in detail.split(separator: ", ") {
                if part.hasPrefix("subprotocol ") { subprotocol = String(part.dropFirst("subprotocol ".count)) }
                if part.hasSuffix(" messages sent") { sent = Int(part.dropLast(" messages sent".count)) }
                if part.hasSuffix(" received") { received = Int(part.dropLast(" received".count)) }
            }
        }
    }
}

extension OTLPAttributes {
    /// Adds the method, URL and server of a request.
    mutating func addRequest(method: String?, url: String?) {
        if let method {
            let known = OTLPNames.method(method)
            add("http.request.method", known)
            if known != method { add("http.request.method_original", method) }
        }
        addServer(of: url)
    }

    /// Adds a redacted URL and its server.
    mutating func addServer(of url: String?) {
        guard let url else { return }
        add("url.full", url)
        let reference = URLReference(url)
        // Text that isn't a URL is taken as a host, as for tracers.
        let authority = Authority(reference.authority ?? String(url.prefix { !"/?#".contains($0) }))
        add("server.address", authority.host)
        let scheme = reference.authority == nil ? "" : reference.scheme ?? ""
        add("server.port", Int(authority.port(for: scheme) ?? 80))
    }

    /// Adds the peer's address and port.
    mutating func addPeer(_ remote: String?) {
        guard let remote else { return }
        let authority = Authority(remote)
        add("network.peer.address", authority.host)
        add("network.peer.port", authority.port.map { Int($0) })
    }

    /// Adds attributes that identify the entry in the store and name the request.
    mutating func addEntry(_ item: StoredItem) {
        add("swift_net.item", item.id)
        add("swift_net.operation", item.operation)
        add("swift_net.name", item.name)
        add("swift_net.tags", item.tags)
    }

    /// Adds the known attributes of an attempt.
    mutating func addAttempt(_ attempt: StoredAttempt) {
        addRequest(method: attempt.method, url: attempt.url)
        if attempt.number > 1 { add("http.request.resend_count", attempt.number - 1) }
        add("http.response.status_code", attempt.status)
        add("network.protocol.version", attempt.version)
        addPeer(attempt.remoteAddress)
        add("http.request.body.size", attempt.requestBytes)
        add("http.response.body.size", attempt.responseBytes)
        add("swift_net.connection.reused", attempt.isReused)
        add(seconds: "swift_net.phase.queued", attempt.phases.queued)
        add(seconds: "swift_net.phase.lookup", attempt.phases.lookup)
        add(seconds: "swift_net.phase.connect", attempt.phases.connect)
        add(seconds: "swift_net.phase.secure", attempt.phases.secure)
        add(seconds: "swift_net.phase.sending", attempt.phases.sending)
        add(seconds: "swift_net.phase.waiting", attempt.phases.waiting)
        add(seconds: "swift_net.phase.download", attempt.phases.download)
    }
}
