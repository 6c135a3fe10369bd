internal import HTTPTypes

extension PreparedRequest {
    /// How a cURL command is laid out.
    public enum CurlStyle: Sendable, Hashable {
        /// One option a line.
        case multiline
        /// One line.
        case compact
    }

    /// The request as a `curl` command for a POSIX shell, redacted.
    ///
    /// A body that is text is written out; another becomes `--data-binary @body.bin`. Hidden values are replaced, in forms and
    /// JSON too, so a command with credentials must have them put back before it runs. What curl would add of its own, a user
    /// agent and what it accepts, is left away where the request has none.
    ///
    ///     let request = try client.prepare(GetUser(id: 7))
    ///     print(request.curl(.compact))
    ///
    /// - Parameters:
    ///   - style: One option a line, or one line. Default several.
    ///   - redaction: What to hide; nil takes the request's own rules, else ``RedactionPolicy/safeDefault``.
    ///   - prettyJSON: Whether JSON is indented, its members sorted; what isn't JSON stays as it is. Default false.
    ///   - maximumBytes: The most bytes of URL, fields (half of them at most) and body together. A command that is cut is still
    ///     one for a shell, and says in a comment at its end what is missing. Default nil: no limit.
    public func curl(
        _ style: CurlStyle = .multiline, redaction: RedactionPolicy? = nil, prettyJSON: Bool = false,
        maximumBytes: Int? = nil
    ) -> String {
        let policy = redaction ?? options.redaction ?? .safeDefault
        var budget = CurlBudget(maximumBytes)
        let url = budget.take(policy.redact(url: url), "the URL")
        let sent = curlFields(policy, &budget)
        let body = curlBody(policy, prettyJSON: prettyJSON, &budget)
        var parts = ["curl"]
        switch head.method {
        case .get where body == nil: break
        // With a body -I is refused, and without it curl waits for the body of the response.
        case .head where body == nil: parts.append("-I")
        default: parts.append("-X \(Self.quote(head.method.rawValue))")
        }
        parts += sent + curlExtras(hasBody: body != nil)
        if let body { parts.append(body) }
        // curl would resolve them, newer ones also where the dots are escaped.
        if Path.hasDotSegment(head.path ?? "/") { parts.append("--path-as-is") }
        if url.utf8.contains(where: "{}[]".utf8.contains) { parts.append("--globoff") }
        parts.append(Self.quote(url))
        return parts.joined(separator: style == .multiline ? " \\\n  " : " ") + budget.comment
    }

    private func curlFields(_ policy: RedactionPolicy, _ budget: inout CurlBudget) -> [String] {
        var parts: [String] = []
        budget.halve { budget in
            // The framing is curl's own, as it is the transport's.
            for field in policy.redact(head.headerFields)
            where field.name != .contentLength && field.name != .transferEncoding {
                let line = field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"
                if let line = budget.take(field: line, field.name.rawName) { parts.append("-H \(Self.quote(line))") }
            }
        }
        return parts
    }

    /// What keeps curl from adding something of its own.
    private func curlExtras(hasBody: Bool) -> [String] {
        var parts: [String] = []
        for name in [HTTPField.Name.userAgent, .accept] where head.headerFields[name] == nil {
            parts.append("-H '\(name.rawName):'")
        }
        // curl would add a type of its own to a body without one.
        if hasBody, head.headerFields[.contentType] == nil { parts.append("-H 'Content-Type:'") }
        // The field says what is accepted, the option that it is decoded.
        if options.decodesContent, head.headerFields[.acceptEncoding] != nil { parts.append("--compressed") }
        return parts
    }

    private func curlBody(_ policy: RedactionPolicy, prettyJSON: Bool, _ budget: inout CurlBudget) -> String? {
        switch body {
        case .none:
            // A method that usually has a body says so when it has none (RFC 9110 section 8.6); curl does it for this alone.
            return [.post, .put, .patch].contains(head.method) ? "--data-raw ''" : nil
        case .stream: return "--data-binary @body.bin"
        case .bytes(let bytes):
            if bytes.isEmpty { return "--data-raw ''" }
            let binary = "--data-binary @body.bin"
            let type = head.headerFields[.contentType]
            // Nobody looks into the parts: any of them may be a secret.
            if type?.lowercased().hasPrefix("multipart/") == true, policy != .disabled { return binary }
            let whole = Array(bytes)
            // As a whole, also where little of it is shown: cut JSON is not redacted.
            let shown = policy.edits(in: whole, contentType: type).applied(to: whole)
            guard var text = String(validating: shown, as: UTF8.self), !shown.contains(0) else { return binary }
            if prettyJSON, let json = try? JSONCoding.standard.decode(JSONValue.self, from: Bytes(shown)).pretty {
                text = json
            }
            return "--data-raw \(Self.quote(budget.take(text, "the body")))"
        }
    }

    private static func quote(_ text: String) -> String {
        // By scalars: a quote with a combining mark is one character, and would not be found.
        let pieces = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + pieces.map { String($0) }.joined(separator: #"'\''"#) + "'"
    }
}
