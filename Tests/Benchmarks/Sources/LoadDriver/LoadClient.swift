/// An HTTP client under load. Every method throws unless the response has status 200.
public protocol LoadClient: Sendable {
    init(_ settings: LoadSettings) throws
    /// The executor on which the client prefers its callers' tasks to run.
    var executor: (any TaskExecutor)? { get }
    /// Collects the body and returns its size.
    func get(_ url: String) async throws -> Int
    /// Sends `body` as JSON, collects the response and returns its size.
    func post(_ url: String, body: [UInt8]) async throws -> Int
    /// Decodes the response as ``User`` and returns its number.
    func typed(_ url: String) async throws -> Int
    /// Reads the body as it arrives, without keeping it, and returns its size.
    func download(_ url: String) async throws -> Int
    /// Decodes ``User/sample`` like ``typed(_:)``, without a request, and returns its number.
    func decode() throws -> Int
    func shutdown() async
}

extension LoadClient {
    public var executor: (any TaskExecutor)? { nil }

    public func decode() throws -> Int { throw UnexpectedAnswer("this client has nothing to decode with") }
}

/// An unexpected response.
public struct UnexpectedAnswer: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// The type that the typed workload decodes: three fields.
public struct User: Decodable, Sendable {
    public let id: Int
    public let name: String
    public let isActive: Bool

    /// The content at `user` on the server, byte for byte.
    public static let sample = Array(#"{"id":1815,"name":"Ada Lovelace","isActive":true}"#.utf8)
}
