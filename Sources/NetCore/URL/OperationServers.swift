/// Where a client sends requests whose operation has a server of its own.
///
///     // All to one place: a test server, a proxy.
///     let everything = OperationServers.baseURL
///     // To the servers of another environment.
///     let staging = OperationServers.replacing([
///         "https://uploads.example.com/v1": "https://uploads.staging.example.com/v1"
///     ])
///     // With credentials, where the server is yours too.
///     let trusting = OperationServers { $0.sendingCredentials($0.url.hasPrefix("https://uploads.example.com/")) }
///
/// It is asked of ``RequestOptions/server`` only: a base URL or a whole URL of a request stays what it is.
public struct OperationServers: Sendable {
    private let choose: (@Sendable (OperationServer) -> OperationServer?)?

    /// To the server that the document names. The default of a client.
    public static let declared = OperationServers(choose: nil)

    /// To the client's base URL, as all other requests.
    public static let baseURL = OperationServers { _ in nil }

    /// To other servers in place of these; one that is not among them stays as the document names it. A slash at the end makes
    /// no difference.
    public static func replacing(_ servers: [OperationServer: OperationServer]) -> OperationServers {
        let table = Dictionary(servers.map { (key($0.key.url), $0.value) }, uniquingKeysWith: { first, _ in first })
        return OperationServers { table[key($0.url)] ?? $0 }
    }

    /// To the server that `choose` returns for the one of the document; nil is the client's base URL. It is asked each time
    /// that a request is prepared.
    public init(_ choose: @escaping @Sendable (OperationServer) -> OperationServer?) {
        self.choose = choose
    }

    private init(choose: (@Sendable (OperationServer) -> OperationServer?)?) {
        self.choose = choose
    }

    /// Whether every request goes to the server that the document names.
    package var isDeclared: Bool { choose == nil }

    /// Where to; nil for the client's base URL.
    func server(for declared: OperationServer) -> OperationServer? {
        if let choose { choose(declared) } else { declared }
    }

    private static func key(_ url: String) -> String {
        var url = url[...]
        while url.utf8.count > 1, url.utf8.last == UInt8(ascii: "/") { url = Substring(url.utf8.dropLast()) }
        return String(url)
    }
}
