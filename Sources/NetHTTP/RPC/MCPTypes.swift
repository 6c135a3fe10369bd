public import NetCore

/// The server of a Model Context Protocol session, as it introduces itself.
public struct MCPServer: Sendable, Hashable, Decodable {
    /// The name and version of a program.
    public struct Implementation: Sendable, Hashable, Codable {
        /// The name.
        public var name: String
        /// The version.
        public var version: String

        /// Creates the name and version of a program.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// The version of the protocol that the session speaks.
    public let protocolVersion: String
    /// The name and version of the server.
    public let serverInfo: Implementation
    /// The features that the server has: `tools`, `resources`, `prompts` and others.
    public let capabilities: JSONValue
    /// The server's advice on how to use it; nil if there is none.
    public let instructions: String?
}

/// A tool of an MCP server.
public struct MCPTool: Sendable, Hashable, Decodable {
    /// The name to call it by.
    public let name: String
    /// The name for people; nil if there is none.
    public let title: String?
    /// The explanation for people and language models; nil if there is none.
    public let description: String?
    /// The JSON Schema of the arguments.
    public let inputSchema: JSONValue
    /// The JSON Schema of ``MCPToolResult/structuredContent``; nil if there is none.
    public let outputSchema: JSONValue?
}

/// The result of a tool. It may contain secrets: printing it shows only whether the tool failed.
public struct MCPToolResult: Sendable, Hashable, Decodable {
    /// The parts of the result, each an object with a `type` such as `text`, `image` or `resource`.
    public let content: [JSONValue]
    /// The result as a value; nil if the tool has none.
    public let structuredContent: JSONValue?
    /// True if the tool itself failed; ``text`` says why. An unknown tool throws instead.
    public let isError: Bool

    /// The parts of the type `text`, joined by line feeds.
    public var text: String {
        content.filter { $0["type"]?.stringValue == "text" }.compactMap { $0["text"]?.stringValue }
            .joined(separator: "\n")
    }

    private enum CodingKeys: String, CodingKey { case content, structuredContent, isError }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        content = try container.decodeIfPresent([JSONValue].self, forKey: .content) ?? []
        structuredContent = try container.decodeIfPresent(JSONValue.self, forKey: .structuredContent)
        isError = try container.decodeIfPresent(Bool.self, forKey: .isError) ?? false
    }
}

extension MCPToolResult: CustomStringConvertible, CustomReflectable {
    /// The number of parts, and whether the tool failed.
    public var description: String { "\(isError ? "failure" : "result") of \(content.count) parts" }
    public var customMirror: Mirror { Mirror(self, children: ["isError": isError], displayStyle: .struct) }
}

/// Something that an MCP server tells its clients. It may contain secrets: printing it shows only the method.
public struct MCPNotification: Sendable, Hashable {
    /// The kind, such as `notifications/progress` or `notifications/tools/list_changed`.
    public let method: String
    /// The parameters; nil if there are none.
    public let parameters: JSONValue?
}

extension MCPNotification: CustomStringConvertible, CustomReflectable {
    /// Only the method.
    public var description: String { method }
    public var customMirror: Mirror { Mirror(self, children: ["method": method], displayStyle: .struct) }
}
