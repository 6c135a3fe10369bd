/// The server of one operation, if its API description declares a separate one: the `servers` of an OpenAPI operation
/// or path.
///
///     let uploads: OperationServer = "https://uploads.example.com/v1"
///     let beside = OperationServer("/v2")
///
/// The path of the request is joined to the URL in the same way as to a client's base URL. A relative URL is resolved
/// against that base URL (RFC 3986 section 5.2): `/v2` is another path on the same host. With an invalid URL, preparing
/// the request throws `.invalidRequest`.
///
/// A server with a different origin doesn't receive the client's headers that may be secret, the query of its base URL,
/// or its credentials, unless ``sendsCredentials`` or a credential's `CredentialScope` allows it; see
/// ``RequestOptions/absoluteURL``.
public struct OperationServer: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The URL, absolute or relative to the client's base URL.
    public var url: String
    /// True if the server receives everything that the origin of the client's base URL receives, including credentials.
    /// Default false.
    public var sendsCredentials: Bool

    /// Creates a server. The URL is checked when a request is prepared.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the client's base URL.
    ///   - sendsCredentials: True to send the same credentials as to the origin of the client's base URL. Default
    ///     false.
    public init(_ url: String, sendsCredentials: Bool = false) {
        self.url = url
        self.sendsCredentials = sendsCredentials
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Returns the same server with or without credentials.
    ///
    ///     let trusted = OperationServer("https://uploads.example.com").sendingCredentials()
    public func sendingCredentials(_ sendsCredentials: Bool = true) -> OperationServer {
        OperationServer(url, sendsCredentials: sendsCredentials)
    }

    /// Returns the URL that paths are joined to; throws `.invalidRequest`.
    func resolved(against base: BaseURL?) throws(NetError) -> BaseURL {
        var reference = URLReference(url)
        let isAbsolute = reference.scheme != nil
        if let base, base.problem == nil {
            let known = URLReference("\(base.scheme)://\(base.authority)\(base.wholePath)")
            if !isAbsolute { reference = reference.resolved(against: known) }
            // The query of the base URL may contain keys of the whole client.
            let origin = Authority.origin(scheme: reference.scheme ?? "", authority: reference.authority ?? "")
            if let query = base.query, sendsCredentials || origin == base.origin {
                reference.query = reference.query.map { $0.isEmpty ? query : "\($0)&\(query)" } ?? query
            }
        } else if !isAbsolute {
            let reason = base?.problem ?? "the client has no base URL"
            throw problem("it is relative, and \(reason)")
        }
        do throws(NetError) {
            return try BaseURL(reference.description)
        } catch {
            throw problem(error.message)
        }
    }

    private func problem(_ reason: String) -> NetError {
        NetError(
            .invalidRequest, phase: .preparing, message: "the operation's server \"\(self)\" is not usable: \(reason)")
    }
}

extension OperationServer: CustomStringConvertible, CustomReflectable {
    /// The URL without anything that may be a secret.
    public var description: String { RedactionPolicy.safeDefault.redact(url: url) }

    /// Only the description, since a query may contain a secret.
    public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
