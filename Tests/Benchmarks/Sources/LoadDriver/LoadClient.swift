/// One HTTP client under load. Every method throws unless the answer has status 200.
public protocol LoadClient: Sendable {
    init(_ settings: LoadSettings) throws
    /// Where the client would like its callers' tasks to run.
    var executor: (any TaskExecutor)? { get }
    /// Collects the body; returns its size.
    func get(_ url: String) async throws -> Int
    /// Sends `body` as JSON and collects the answer; returns its size.
    func post(_ url: String, body: [UInt8]) async throws -> Int
    /// Decodes the answer as ``Catalog``; returns its number of items.
    func typed(_ url: String) async throws -> Int
    /// Reads the body as it arrives, keeping nothing; returns its size.
    func download(_ url: String) async throws -> Int
    func shutdown() async
}

extension LoadClient {
    public var executor: (any TaskExecutor)? { nil }
}

/// An answer that is not the expected one.
public struct UnexpectedAnswer: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// What the typed workload decodes: 10 items, about 1 KB of JSON.
public struct Catalog: Decodable, Sendable {
    public struct Item: Decodable, Sendable {
        public let id: Int
        public let name: String
        public let price: Double
        public let isAvailable: Bool
        public let tags: [String]
    }

    public let page: Int
    public let items: [Item]
}
