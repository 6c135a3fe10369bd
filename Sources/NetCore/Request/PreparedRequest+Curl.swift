internal import HTTPTypes

extension PreparedRequest {
    /// The layout of a cURL command.
    public enum CurlStyle: Sendable, Hashable {
        /// One option per line.
        case multiline
        /// One line.
        case compact
    }

    /// Returns the request as a `curl` command for a POSIX shell, redacted.
    ///
    /// A text body is written out; any other body becomes `--data-binary @body.bin`. Hidden values are replaced, also
    /// in forms and JSON, so credentials must be filled in before the command can run. The headers that curl would add,
    /// `User-Agent` and `Accept`, are suppressed if the request doesn't have them.
    ///
    ///     let request = try client.prepare(GetUser(id: 7))
    ///     print(request.curl(.compact))
    ///
    /// - Parameters:
    ///   - style: One option per line, or one line. Default `.multiline`.
    ///   - redaction: The redaction rules; nil uses the request's rules or, if it has none,
    ///     ``RedactionPolicy/safeDefault``.
    ///   - prettyJSON: True to indent JSON and sort its members; other bodies are unchanged. Default false.
    ///   - maximumBytes: The maximum total size of the URL, headers and body in bytes. The headers get at most half of
    ///     the bytes that remain after the URL. A command that was cut is still valid in a shell, and a comment at its
    ///     end names the missing parts. Default nil: no limit.
    public func curl(
        _ style: CurlStyle = .multiline, redaction: RedactionPolicy? = nil, prettyJSON: Bool = false,
        maximumBytes: Int? = nil
    ) -> String {
        curl(style, redaction: redaction, prettyJSON: prettyJSON, maximumBytes: maximumBytes, bodyOption: nil)
    }

    /// Returns the command with a given option in place of the body's; nil for the body's own.
    package func curl(
        _ style: CurlStyle = .multiline, redaction: RedactionPolicy? = nil, prettyJSON: Bool = false,
        maximumBytes: Int? = nil, bodyOption: String?
    ) -> String {
        let policy = redaction ?? options.redaction ?? .safeDefault
        var budget = CurlBudget(maximumBytes)
        let url = budget.take(policy.redact(url: url), "the URL")
        let sent = curlFields(policy, &budget)
        let body = bodyOption ?? curlBody(policy, prettyJSON: prettyJSON, &budget)
        var parts = ["curl"]
        switch head.method {
        case .get where body == nil: break
        // curl refuses -I with a body; without -I, it waits for the body of the response.
        case .head where body == nil: parts.append("-I")
        default: parts.append("-X \(Self.quote(head.method.rawValue))")
        }
        parts += sent + curlExtras(hasBody: body != nil)
        if let body { parts.append(body) }
        // curl would resolve dot segments; newer versions resolve even those with escaped dots.
        if Path.hasDotSegment(head.path ?? "/") { parts.append("--path-as-is") }
        if url.utf8.contains(where: "{}[]".utf8.contains) { parts.append("--globoff") }
        parts.append(Self.quote(url))
        return parts.joined(separator: style == .multiline ? " \\\n  " : " ") + budget.comment
    }

    private func curlFields(_ policy: RedactionPolicy, _ budget: inout CurlBudget) -> [String] {
        var parts: [String] = []
        budget.halve { budget in
            // curl frames the body itself, like the transport.
            for field in policy.redact(head.headerFields)
            where field.name != .contentLength && field.name != .transferEncoding {
                let line = field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"
                if let line = budget.take(field: line, field.name.rawName) { parts.append("-H \(Self.quote(line))") }
            }
        }
        return parts
    }

    /// Returns the options that keep curl from adding its own headers.
    private func curlExtras(hasBody: Bool) -> [String] {
        var parts: [String] = []
        for name in [HTTPField.Name.userAgent, .accept] where head.headerFields[name] == nil {
            parts.append("-H '\(name.rawName):'")
        }
        // curl would add its own type to a body without one.
        if hasBody, head.headerFields[.contentType] == nil { parts.append("-H 'Content-Type:'") }
        // The header declares the accepted codings; the option decodes them.
        if options.decodesContent, head.headerFields[.acceptEncoding] != nil { parts.append("--compressed") }
        return parts
    }

    private func curlBody(_ policy: RedactionPolicy, prettyJSON: Bool, _ budget: inout CurlBudget) -> String? {
        switch body {
        case .none:
            // A method that usually has a body declares an empty one (RFC 9110 section 8.6); curl does so only with
            // this option.
            return [.post, .put, .patch].contains(head.method) ? "--data-raw ''" : nil
        case .stream: return "--data-binary @body.bin"
        case .bytes(let bytes):
            if bytes.isEmpty { return "--data-raw ''" }
            let binary = "--data-binary @body.bin"
            let type = head.headerFields[.contentType]
            // The parts aren't examined, and any of them may contain a secret.
            if type?.lowercased().hasPrefix("multipart/") == true, policy != .disabled { return binary }
            let whole = Array(bytes)
            // Redacts by name in the whole body even if little of it is shown, since JSON that was cut can't be redacted.
            let shown =
                policy == .disabled ? whole : policy.namedEdits(in: whole, contentType: type).applied(to: whole)
            guard var text = String(validating: shown, as: UTF8.self), !shown.contains(0) else { return binary }
            if prettyJSON, let json = try? JSONCoding.standard.decode(JSONValue.self, from: Bytes(shown)).pretty {
                text = json
            }
            text = policy.hidingValues(in: text, upToBytes: budget.left)
            return "--data-raw \(Self.quote(budget.take(text, "the body")))"
        }
    }

    private static func quote(_ text: String) -> String {
        // Splits by scalars: a quote with a combining mark is a single character and wouldn't be found.
        let pieces = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + pieces.map { String($0) }.joined(separator: #"'\''"#) + "'"
    }
}
