/// The choice of the server for requests whose operation declares its own server.
///
///     // Send all requests to one place, such as a test server or a proxy.
///     let everything = OperationServers.baseURL
///     // Use the servers of another environment.
///     let staging = OperationServers.replacing([
///         "https://uploads.example.com/v1": "https://uploads.staging.example.com/v1"
///     ])
///     // Send credentials to a server that is also yours.
///     let trusting = OperationServers { $0.sendingCredentials($0.url.hasPrefix("https://uploads.example.com/")) }
///
/// Applies only to ``RequestOptions/server``; a request's own base URL or absolute URL isn't changed.
public struct OperationServers: Sendable {
    private let choose: (@Sendable (OperationServer) -> OperationServer?)?

    /// Sends requests to the server that the API description declares. The default of a client.
    public static let declared = OperationServers(choose: nil)

    /// Sends requests to the client's base URL, like all other requests.
    public static let baseURL = OperationServers { _ in nil }

    /// Replaces the given servers; other servers are used as declared. A trailing slash makes no difference.
    public static func replacing(_ servers: [OperationServer: OperationServer]) -> OperationServers {
        let table = Dictionary(servers.map { (key($0.key.url), $0.value) }, uniquingKeysWith: { first, _ in first })
        return OperationServers { table[key($0.url)] ?? $0 }
    }

    /// Sends requests to the server that `choose` returns for the declared one, or to the client's base URL if it
    /// returns nil. `choose` is called each time a request is prepared.
    public init(_ choose: @escaping @Sendable (OperationServer) -> OperationServer?) {
        self.choose = choose
    }

    private init(choose: (@Sendable (OperationServer) -> OperationServer?)?) {
        self.choose = choose
    }

    /// True if every request goes to the server that the API description declares.
    package var isDeclared: Bool { choose == nil }

    /// Returns the server for a declared one; nil for the client's base URL.
    func server(for declared: OperationServer) -> OperationServer? {
        if let choose { choose(declared) } else { declared }
    }

    private static func key(_ url: String) -> String {
        var url = url[...]
        while url.utf8.count > 1, url.utf8.last == UInt8(ascii: "/") { url = Substring(url.utf8.dropLast()) }
        return String(url)
    }
}
