public import NetCore

/// The server of a Model Context Protocol session, as described by itself.
///
///     let mcp = MCPClient("mcp", client: client, info: .init(name: "example", version: "1.0"))
///     let server = try await mcp.initialize()
///     print(server.serverInfo.name, server.capabilities["tools"] != nil)
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

    /// The protocol version of the session.
    public let protocolVersion: String
    /// The name and version of the server.
    public let serverInfo: Implementation
    /// The server's features: `tools`, `resources`, `prompts` and others.
    public let capabilities: JSONValue
    /// The server's instructions for its use; nil if there are none.
    public let instructions: String?
}

/// A tool of an MCP server.
///
///     let mcp = MCPClient("mcp", client: client, info: .init(name: "example", version: "1.0"))
///     try await mcp.initialize()
///     for tool in try await mcp.tools() { print(tool.name, tool.description ?? "") }
public struct MCPTool: Sendable, Hashable, Decodable {
    /// The name for calls.
    public let name: String
    /// The display name; nil if there is none.
    public let title: String?
    /// The description for people and language models; nil if there is none.
    public let description: String?
    /// The JSON Schema of the arguments.
    public let inputSchema: JSONValue
    /// The JSON Schema of ``MCPToolResult/structuredContent``; nil if there is none.
    public let outputSchema: JSONValue?
}

/// The result of a tool. It may contain secrets: printing it shows only whether the tool failed.
///
///     let mcp = MCPClient("mcp", client: client, info: .init(name: "example", version: "1.0"))
///     try await mcp.initialize()
///     let result = try await mcp.call("add", ["a": 1, "b": 2])
///     print(result.isError ? "failed" : result.text)
public struct MCPToolResult: Sendable, Hashable, Decodable {
    /// The parts of the result, each an object with a `type` such as `text`, `image` or `resource`.
    public let content: [JSONValue]
    /// The result as a value; nil if the tool returned none.
    public let structuredContent: JSONValue?
    /// True if the tool itself failed; ``text`` contains the reason. An unknown tool throws instead.
    public let isError: Bool

    /// The content of the parts with type `text`, joined by line feeds.
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
    /// The number of parts, and an indication of failure.
    public var description: String { "\(isError ? "failure" : "result") of \(content.count) parts" }
    public var customMirror: Mirror { Mirror(self, children: ["isError": isError], displayStyle: .struct) }
}

/// A notification from an MCP server. It may contain secrets: printing it shows only the method.
///
///     let mcp = MCPClient("mcp", client: client, info: .init(name: "example", version: "1.0"))
///     try await mcp.initialize()
///     try await mcp.call("convert") { print($0.parameters?["progress"]?.doubleValue ?? 0) }
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
