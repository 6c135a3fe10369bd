extension RequestBuilder {
    /// Returns the URL of a WebSocket. A path such as `/chat` continues the client's base URL.
    func webSocketURL(_ text: String) throws(NetError) -> BaseURL {
        let url = BaseURL(unchecked: isPath(text) ? try continued(by: text) : text)
        if let problem = url.webSocketProblem { throw invalid(problem) }
        return url
    }

    private func isPath(_ text: String) -> Bool { text.hasPrefix("/") && !text.hasPrefix("//") }

    private func continued(by text: String) throws(NetError) -> String {
        guard let baseURL else {
            throw invalid(
                "the URL of the WebSocket is a path, and the client has no base URL; write ws:// or wss:// and the host "
                    + "before it")
        }
        if let problem = baseURL.webSocketProblem {
            throw invalid("the client's base URL is not usable: \(problem)")
        }
        let start = "\(baseURL.scheme)://\(baseURL.authority)\(baseURL.path)"
        guard let query = baseURL.query else { return start + text }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return start + parts[0] + "?" + query + (parts.count > 1 ? "&" + parts[1] : "")
    }
}
