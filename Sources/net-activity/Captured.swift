#if Tools
internal import NetCore
internal import NetStore

/// The captured parts of an entry: headers and bodies of its attempts, messages of a WebSocket.
struct Captured {
    /// The maximum number of lines shown of each part; nil for no limit.
    let maximumLines: Int?

    func show(_ exchanges: [StoredExchange], _ messages: [StoredMessage]) {
        for exchange in exchanges {
            let name = exchange.number > 0 ? "attempt \(exchange.number)" : "response of the cache"
            part("\(name), request", exchange.requestHeaders, exchange.request)
            part(
                "\(name), response" + (exchange.status.map { " \($0)" } ?? ""),
                exchange.responseHeaders + exchange.trailers, exchange.response)
        }
        guard !messages.isEmpty else { return }
        heading("messages")
        lines(messages.map(line(of:)).joined(separator: "\n"))
    }

    private func part(_ title: String, _ fields: [StoredExchange.Field], _ body: StoredExchange.Body?) {
        guard !fields.isEmpty || body != nil else { return }
        heading(title)
        lines(fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n"))
        guard let body else { return }
        if !fields.isEmpty { print("") }
        guard let text = Self.text(body.bytes) else { return print("(\(Self.size(body)), not text)") }
        lines(text)
        if body.isCut { print("… of \(Self.size(body))") }
    }

    private func line(of message: StoredMessage) -> String {
        let arrow = message.isSent ? "→" : "←"
        let content =
            message.text ?? message.bytes.flatMap(Self.text) ?? "(\(TerminalText.bytes(message.size)), not text)"
        return "\(message.date.table) \(arrow) \(TerminalText.clean(content))"
            + (message.isCut ? "… of \(TerminalText.bytes(message.size))" : "")
    }

    private func heading(_ text: String) {
        print("")
        print(Output.colour(text.uppercased(), .bold))
    }

    private func lines(_ text: String) {
        guard !text.isEmpty else { return }
        let excerpt = Excerpt(text, width: Output.width, maximumLines: maximumLines)
        for line in excerpt.lines { print(line) }
        if let rest = excerpt.rest { print(rest) }
    }

    private static func size(_ body: StoredExchange.Body) -> String {
        TerminalText.bytes(body.size ?? Int64(body.bytes.count))
    }

    /// Returns nil for bytes that aren't text.
    private static func text(_ bytes: Bytes) -> String? {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else { return nil }
        return text.unicodeScalars.contains { $0.value == 0 } ? nil : text
    }
}
#endif
