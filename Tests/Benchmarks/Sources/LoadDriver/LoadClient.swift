/// One HTTP client under load. Every method throws unless the answer has status 200.
public protocol LoadClient: Sendable {
    init(_ settings: LoadSettings) throws
    /// Where the client would like its callers' tasks to run.
    var executor: (any TaskExecutor)? { get }
    /// Collects the body; returns its size.
    func get(_ url: String) async throws -> Int
    /// Sends `body` as JSON and collects the answer; returns its size.
    func post(_ url: String, body: [UInt8]) async throws -> Int
    /// Decodes the answer as ``User``; returns its number.
    func typed(_ url: String) async throws -> Int
    /// Reads the body as it arrives, keeping nothing; returns its size.
    func download(_ url: String) async throws -> Int
    /// Decodes ``User/sample`` as ``typed(_:)`` does, without a request; returns its number.
    func decode() throws -> Int
    func shutdown() async
}

extension LoadClient {
    public var executor: (any TaskExecutor)? { nil }

    public func decode() throws -> Int { throw UnexpectedAnswer("this client has nothing to decode with") }
}

/// An answer that is not the expected one.
public struct UnexpectedAnswer: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// What the typed workload decodes: three fields.
public struct User: Decodable, Sendable {
    public let id: Int
    public let name: String
    public let isActive: Bool

    /// What the server has at `user`, byte for byte.
    public static let sample = Array(#"{"id":1815,"name":"Ada Lovelace","isActive":true}"#.utf8)
}
