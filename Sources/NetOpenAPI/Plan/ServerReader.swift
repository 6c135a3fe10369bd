/// The reader of the `servers` of a document, its paths and its operations.
struct ServerReader {
    private let read: KeywordReader
    /// The absolute URL of the document (`$self`, OpenAPI 3.2); nil if it doesn't declare one.
    private let home: ServerURL?
    /// The servers of the document.
    let document: [ServerModel]

    init(_ root: Node, read: KeywordReader) {
        self.read = read
        let own = root["$self"]?.text.map { ServerURL($0) }
        let home = own?.scheme != nil && own?.isHTTP == true ? own : nil
        self.home = home
        document = Self.servers(of: root, read, home)
    }

    /// Returns the servers of one operation: its own, or else those of its path; empty if they are the document's.
    func servers(of operation: Node, item: Node) -> [ServerModel] {
        guard let holder = [operation, item].first(where: { $0["servers"]?.elements.isEmpty == false }) else {
            // Logs a warning for a value of the wrong kind.
            for node in [operation, item] { _ = read.list(node, "servers") }
            return []
        }
        let servers = Self.servers(of: holder, read, home)
        guard let first = servers.first else {
            read.log.warn(
                "none of these servers can be used; requests go to the client's base URL", at: holder["servers"])
            return []
        }
        // A document without servers is served at the root of its host (OpenAPI, OpenAPI Object).
        let common = document.isEmpty ? [["/", "/"]] : document.map { [$0.template, $0.url] }
        if common == servers.map({ [$0.template, $0.url] }) { return [] }
        read.log.note(
            "requests go to '\(first.url)', not to the client's base URL, unless their 'server' or the client's "
                + "'operationServers' say otherwise", at: holder["servers"])
        return servers
    }

    private static func servers(of node: Node, _ read: KeywordReader, _ home: ServerURL?) -> [ServerModel] {
        (read.list(node, "servers") ?? []).compactMap { server($0, read, home) }
    }

    private static func server(_ node: Node, _ read: KeywordReader, _ home: ServerURL?) -> ServerModel? {
        guard node.isObject, let text = read.text(node, "url") else {
            read.log.warn("a server needs a 'url'; it is omitted", at: node)
            return nil
        }
        let template = home.map { ServerURL(text).resolved(against: $0) } ?? text
        var url = template
        var variables: [ServerModel.Variable] = []
        for member in read.members(node, "variables") where template.contains("{\(member.key)}") {
            guard let variable = variable(member, read) else { continue }
            variables.append(variable)
            url = url.split(separator: "{\(variable.name)}", omittingEmptySubsequences: false).joined(
                separator: variable.value)
        }
        if let name = undefined(in: url) {
            read.log.warn(
                "'{\(name)}' of the server's URL has no default in 'variables'; it is omitted", at: node["url"])
            return nil
        }
        guard ServerURL(url).isHTTP else {
            read.log.warn("'\(url)' isn't an http or https URL; the server is omitted", at: node["url"])
            return nil
        }
        return ServerModel(
            url: url, template: template, variables: variables, name: read.text(node, "name"),
            description: read.text(node, "description"))
    }

    private static func variable(_ member: Node.Member, _ read: KeywordReader) -> ServerModel.Variable? {
        let values = read.texts(member.value, "enum")
        var value = read.text(member.value, "default")
        if value == nil, let first = values.first {
            read.log.warn("'\(member.key)' needs a 'default'; its first value is used", at: member.value)
            value = first
        }
        guard let value else { return nil }
        if !values.isEmpty, !values.contains(value) {
            read.log.warn("the default '\(value)' isn't one of the values in 'enum'", at: member.value["default"])
        }
        return ServerModel.Variable(
            name: member.key, value: value, values: values, description: read.text(member.value, "description"))
    }

    /// Returns the first name between braces; nil if there is none.
    private static func undefined(in url: String) -> String? {
        guard let start = url.firstIndex(of: "{"), let end = url[start...].firstIndex(of: "}") else { return nil }
        return String(url[url.index(after: start)..<end])
    }
}
