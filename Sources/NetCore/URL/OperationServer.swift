/// The server of one operation, where a document names another one for it than for the rest: the `servers` of an OpenAPI
/// operation or path.
///
///     let uploads: OperationServer = "https://uploads.example.com/v1"
///     let beside = OperationServer("/v2")
///
/// The path of the request is joined to the URL, as it is to a client's base URL. A relative URL is resolved against that
/// base URL (RFC 3986 section 5.2): `/v2` is another path of the same host. What is no URL makes preparing the request throw
/// `.invalidRequest`.
///
/// Of the client's fields, the query of its base URL and its credentials, a server of another origin gets none that may be a
/// secret, unless ``sendsCredentials`` or a credential's ``CredentialScope`` says so; see ``RequestOptions/absoluteURL``.
public struct OperationServer: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The URL, absolute or relative to the client's base URL.
    public var url: String
    /// Whether the server gets what the origin of the client's base URL gets, credentials among it. Default false.
    public var sendsCredentials: Bool

    /// Takes the URL; it is checked when a request is prepared.
    public init(_ url: String, sendsCredentials: Bool = false) {
        self.url = url
        self.sendsCredentials = sendsCredentials
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The same server with or without credentials.
    ///
    ///     let trusted = OperationServer("https://uploads.example.com").sendingCredentials()
    public func sendingCredentials(_ sendsCredentials: Bool = true) -> OperationServer {
        OperationServer(url, sendsCredentials: sendsCredentials)
    }

    /// The URL that paths are joined to; throws `.invalidRequest`.
    func resolved(against base: BaseURL?) throws(NetError) -> BaseURL {
        var reference = URLReference(url)
        let isAbsolute = reference.scheme != nil
        if let base, base.problem == nil {
            let known = URLReference("\(base.scheme)://\(base.authority)\(base.wholePath)")
            if !isAbsolute { reference = reference.resolved(against: known) }
            // Keys of the whole client stand there.
            let origin = BaseURL.origin(scheme: reference.scheme ?? "", authority: reference.authority ?? "")
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
    /// The URL without what may be a secret.
    public var description: String { RedactionPolicy.safeDefault.redact(url: url) }

    /// The description alone: a query may hold a secret.
    public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
