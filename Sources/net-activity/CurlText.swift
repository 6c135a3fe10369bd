#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetStore

/// A stored call as a curl command for bash and zsh.
///
/// If the body isn't known completely, the command takes it from a file that the variable `BODY` names, and the shell
/// ends it before curl runs if the variable isn't set: a request with a part of its body, or without one, could
/// overwrite what the server has.
struct CurlText {
    /// The option that takes the body from a file to be named.
    static let unknownBody =
        #"--data-binary @"${BODY:?the file with the body of the request, such as body.bin for @body.bin}""#

    let text: String
    /// Descriptions of missing parts; empty if the command is complete.
    let missing: [String]

    /// Creates the command; nil for an entry that isn't an HTTP request, or if it has no such attempt.
    ///
    /// - Parameters:
    ///   - detail: The call.
    ///   - number: The attempt. Default nil: the last one.
    ///   - file: The file with the body. Default nil: the captured body.
    ///   - isThere: Returns true if a file has the given size, or exists if the size isn't known.
    init?(
        _ detail: StoredDetail, attempt number: Int? = nil, body file: String? = nil,
        isThere: (String, Int64?) -> Bool = { _, _ in false }
    ) {
        let attempt = number.map { wanted in detail.attempts.first { $0.number == wanted } } ?? detail.attempts.last
        guard number == nil || attempt != nil, let url = attempt?.url ?? detail.item.url,
            let method = HTTPRequest.Method(attempt?.method ?? detail.item.method ?? "GET")
        else { return nil }
        guard let scheme = URLReference(url).scheme?.lowercased(), ["http", "https"].contains(scheme),
            detail.item.kind == .call
        else { return nil }
        let exchange = detail.exchanges.last { $0.number == attempt?.number }
        var fields = HTTPFields()
        for field in exchange?.requestHeaders ?? [] {
            if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
        }
        let head = HTTPRequest(method: method, url: url, headerFields: fields)
        var missing = exchange == nil ? ["headers and body were not captured"] : []
        var (content, option): (RequestBody.Content, String?) = (.none, nil)
        switch StoredRequestBody(of: detail.item, attempt, exchange) {
        case _ where file != nil: option = file.map { "--data-binary @\(Output.shellWord($0))" }
        case .none: break
        case .whole(let bytes) where Self.isText(bytes): content = .bytes(bytes)
        case .whole(let bytes):
            option = Self.unknownBody
            missing.append("the body isn't text: set BODY to a file with its \(bytes.count) bytes, or use --body")
        case .file(let path, let size) where isThere(path, size):
            option = "--data-binary @\(Output.shellWord(path))"
        case .file(let path, _):
            option = Self.unknownBody
            missing.append("the body was the file \(path), which has changed since: set BODY, or use --body")
        case .partial(let bytes, _):
            option = Self.unknownBody
            if !bytes.isEmpty, !Self.isText(bytes) { missing.append("the body isn't text") }
            if !bytes.isEmpty {
                missing.append("only the beginning of the body was captured: set BODY, or use --body")
            } else if exchange != nil {
                missing.append("the body was not captured: set BODY to a file with it, or use --body")
            }
        }
        // The stored exchange is already redacted.
        let request = PreparedRequest(head: head, body: content)
        text = ShellText(request.curl(redaction: .disabled, bodyOption: option)).text
        self.missing = missing.map(TerminalText.clean)
    }

    private static func isText(_ bytes: Bytes) -> Bool {
        bytes.withUnsafeBytes { !$0.contains(0) && String(validating: $0, as: UTF8.self) != nil }
    }
}
#endif
