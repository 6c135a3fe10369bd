#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetStore

/// A stored call as a curl command for bash and zsh.
struct CurlText {
    let text: String
    /// Descriptions of missing parts; empty if the command is complete.
    let missing: [String]

    /// Creates the command; nil for an entry that isn't an HTTP request, or if it has no such attempt.
    init?(_ detail: StoredDetail, attempt number: Int? = nil) {
        let attempt = number.map { wanted in detail.attempts.first { $0.number == wanted } } ?? detail.attempts.last
        guard number == nil || attempt != nil, let url = attempt?.url ?? detail.item.url,
            let method = HTTPRequest.Method(attempt?.method ?? detail.item.method ?? "GET")
        else { return nil }
        guard let scheme = URLReference(url).scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            return nil
        }
        let exchange = detail.exchanges.last { $0.number == attempt?.number }
        var fields = HTTPFields()
        for field in exchange?.requestHeaders ?? [] {
            if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
        }
        let head = HTTPRequest(method: method, url: url, headerFields: fields)
        let body = exchange?.request.map { RequestBody.Content.bytes($0.bytes) } ?? .none
        // The stored exchange is already redacted.
        let command = PreparedRequest(head: head, body: body).curl(redaction: .disabled)
        text = ShellText(command).text
        var missing: [String] = []
        if exchange == nil { missing.append("headers and body were not captured") }
        if exchange?.request?.isCut == true { missing.append("only the beginning of the body was captured") }
        if let bytes = exchange?.request?.bytes, !Self.isText(bytes) {
            missing.append("the body isn't text: the command takes it from the file body.bin, which is not written")
        }
        self.missing = missing
    }

    private static func isText(_ bytes: Bytes) -> Bool {
        bytes.withUnsafeBytes { !$0.contains(0) && String(validating: $0, as: UTF8.self) != nil }
    }
}
#endif
