#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetHTTP

/// The values for hidden places of a request, and other changes to it, from the command line.
///
/// Errors never quote a value, since it may be a secret.
struct ReplayFillings {
    /// Headers that replace the stored ones with the same name, or are added.
    var headers: [HTTPField] = []
    /// The lowercase names of stored headers to omit.
    var omitted: Set<String> = []
    /// Values for query items.
    var query: [(name: String, value: String)] = []
    /// The cookies to choose from.
    var cookies: CookieJar?
    /// The body.
    var body: Bytes?
    /// The server to use instead of the call's.
    var base: URLReference?
    /// True to send the stored `Idempotency-Key` instead of a new one.
    var keepsKey = false
    /// The source of new keys.
    var random = NetRandom.system

    /// The headers that the client creates for each connection and message.
    static let ofClient: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "http2-settings", "keep-alive",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Adds a header of the form `name: value`.
    mutating func add(header text: String) throws(Failure) {
        guard let colon = text.firstIndex(of: ":"),
            let name = HTTPField.Name(String(text[..<colon].trimmed)), !text.unicodeScalars.contains(where: isControl)
        else { throw Failure(code: .usage, description: "--header takes 'name: value' without control characters") }
        guard !Self.ofClient.contains(name.canonicalName) || name == .acceptEncoding else {
            throw Failure(
                code: .usage,
                description: "the header \(name.canonicalName) can't be given: the client sets it for each connection")
        }
        headers.append(HTTPField(name: name, value: String(text[text.index(after: colon)...].trimmed)))
    }

    /// Adds a bearer token; throws if the variable isn't set.
    mutating func add(bearer token: String?) throws(Failure) {
        guard let token, !token.isEmpty, !token.unicodeScalars.contains(where: isControl) else {
            throw Failure(
                code: .usage,
                description: """
                    --bearer-env takes the name of an environment variable that contains the token, and the given \
                    variable isn't set
                    """)
        }
        headers.append(HTTPField(name: .authorization, value: "Bearer \(token)"))
    }

    /// Adds a query value of the form `name=value`.
    mutating func add(query text: String) throws(Failure) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw Failure(code: .usage, description: "--query takes 'name=value'")
        }
        query.append((String(text[..<equals]), String(text[text.index(after: equals)...])))
    }

    /// Sets the server that receives all requests.
    mutating func set(base text: String) throws(Failure) {
        let base = URLReference(text)
        guard let scheme = base.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let authority = base.authority, !authority.isEmpty, !authority.contains("@"), base.query == nil,
            base.fragment == nil
        else {
            throw Failure(
                code: .usage, description: "--base takes a server such as https://staging.example.com, without a query")
        }
        self.base = base
    }

    private func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7f }
}

extension StringProtocol {
    /// The text without surrounding spaces and tabs.
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(String(start.reversed().drop { $0 == " " || $0 == "\t" }).reversed())
    }
}
#endif
