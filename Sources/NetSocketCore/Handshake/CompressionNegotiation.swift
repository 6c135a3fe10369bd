package import NetCore

/// The negotiation of permessage-deflate (RFC 7692 section 7.1) by both sides of a handshake.
package enum CompressionNegotiation {
    private static let name = "permessage-deflate"

    private enum Parameter: String {
        case serverNoContext = "server_no_context_takeover"
        case clientNoContext = "client_no_context_takeover"
        case serverBits = "server_max_window_bits"
        case clientBits = "client_max_window_bits"
    }

    /// The parameters of an offer or a response.
    private struct Parameters {
        var serverKeepsNone = false
        var clientKeepsNone = false
        var serverBits: Int?
        var clientBits: Int?
        /// True if the server may limit the size of the client's window.
        var mayLimitClient = false

        /// Returns nil for a parameter that is unknown, has the wrong kind of value, or occurs twice; such an offer
        /// must be declined, and such a response fails the connection.
        init?(_ offer: ExtensionOffer, isAnswer: Bool) {
            guard Set(offer.parameters.map(\.name)).count == offer.parameters.count else { return nil }
            for (name, value) in offer.parameters {
                switch (Parameter(rawValue: name), value) {
                case (.serverNoContext, nil): serverKeepsNone = true
                case (.clientNoContext, nil): clientKeepsNone = true
                case (.serverBits, let value?):
                    guard let bits = Self.bits(value) else { return nil }
                    serverBits = bits
                case (.clientBits, nil):
                    if isAnswer { return nil }
                    mayLimitClient = true
                case (.clientBits, let value?):
                    guard let bits = Self.bits(value) else { return nil }
                    (clientBits, mayLimitClient) = (bits, true)
                default: return nil
                }
            }
        }

        /// Parses a window size: 8 to 15, without leading zeros.
        private static func bits(_ text: String) -> Int? {
            guard let bits = Int(text), String(bits) == text, (8...15).contains(bits) else { return nil }
            return bits
        }
    }

    // MARK: Client

    /// Returns the header value with which a client offers compression: first with all its limits, then, if it falls
    /// back, without those of the server.
    package static func offer(_ settings: WebSocketCompression) -> String {
        let first = offer(limited: settings)
        let hasLimits = settings.receiving != WebSocketCompression.Direction()
        return hasLimits && settings.fallsBack ? "\(first), \(name); \(Parameter.clientBits.rawValue)" : first
    }

    private static func offer(limited settings: WebSocketCompression) -> String {
        var text = name
        if !settings.receiving.takesOverContext { text += "; \(Parameter.serverNoContext.rawValue)" }
        if !settings.sending.takesOverContext { text += "; \(Parameter.clientNoContext.rawValue)" }
        if settings.receiving.windowBits < 15 {
            text += "; \(Parameter.serverBits.rawValue)=\(settings.receiving.windowBits)"
        }
        text += "; \(Parameter.clientBits.rawValue)"
        if settings.sending.windowBits < 15 { text += "=\(settings.sending.windowBits)" }
        return text
    }

    /// Returns the settings that a server's response to the offer agrees to; nil if the server declines.
    ///
    /// Throws if the response is malformed, names another extension, or contradicts both offers.
    package static func agreed(
        _ field: String?, offered: WebSocketCompression?
    ) throws(WebSocketViolation) -> WebSocketCompression? {
        func refuse(_ message: String) -> WebSocketViolation { WebSocketViolation(.protocolError, message) }
        guard let answers = ExtensionOffer.list(field) else {
            throw refuse("the response has a malformed Sec-WebSocket-Extensions")
        }
        guard let answer = answers.first else { return nil }
        guard var agreed = offered, answer.name == name, answers.count == 1 else {
            throw refuse("the response has an extension that was not offered")
        }
        guard let parameters = Parameters(answer, isAnswer: true) else {
            throw refuse("the response has invalid parameters of \(name)")
        }
        let ignored: Parameter? =
            if !parameters.serverKeepsNone, !agreed.receiving.takesOverContext {
                .serverNoContext
            } else if parameters.serverBits ?? 15 > agreed.receiving.windowBits {
                .serverBits
            } else {
                nil
            }
        if let ignored {
            guard agreed.fallsBack else {
                throw refuse(
                    "the response ignores \(ignored.rawValue), which was offered; with fallsBack, the connection would be "
                        + "opened without it")
            }
            agreed.receiving = WebSocketCompression.Direction()
        }
        if parameters.serverKeepsNone { agreed.receiving.takesOverContext = false }
        if parameters.clientKeepsNone { agreed.sending.takesOverContext = false }
        if let bits = parameters.serverBits { agreed.receiving.windowBits = max(9, bits) }
        if let bits = parameters.clientBits {
            agreed.limitSending(to: bits)
        }
        return agreed
    }

    // MARK: Server

    /// Returns the response of a server with these settings to a client's offers: it accepts the first acceptable
    /// offer. nil to work without compression.
    package static func answer(
        _ field: String?, settings: WebSocketCompression
    ) -> (field: String, agreed: WebSocketCompression)? {
        for offer in ExtensionOffer.list(field) ?? [] where offer.name == name {
            if let parameters = Parameters(offer, isAnswer: false), let answer = answer(parameters, settings) {
                return answer
            }
        }
        return nil
    }

    private static func answer(
        _ offer: Parameters, _ settings: WebSocketCompression
    ) -> (field: String, agreed: WebSocketCompression)? {
        var agreed = settings
        var text = name
        // If a client doesn't offer the parameter, the server can't request a smaller window.
        guard settings.receiving.windowBits == 15 || offer.mayLimitClient else { return nil }
        if offer.serverKeepsNone { agreed.sending.takesOverContext = false }
        if !agreed.sending.takesOverContext { text += "; \(Parameter.serverNoContext.rawValue)" }
        if offer.clientKeepsNone { agreed.receiving.takesOverContext = false }
        if !agreed.receiving.takesOverContext { text += "; \(Parameter.clientNoContext.rawValue)" }
        if let bits = offer.serverBits { agreed.limitSending(to: bits) }
        if offer.serverBits != nil || settings.sending.windowBits < 15 {
            text += "; \(Parameter.serverBits.rawValue)=\(min(offer.serverBits ?? 15, settings.sending.windowBits))"
        }
        let clientBits = min(offer.clientBits ?? 15, settings.receiving.windowBits)
        agreed.receiving.windowBits = max(9, clientBits)
        if offer.mayLimitClient, clientBits < 15 { text += "; \(Parameter.clientBits.rawValue)=\(clientBits)" }
        return (text, agreed)
    }
}

extension WebSocketCompression {
    /// Limits this side's window. zlib can't compress with a window of 8 bits, so all messages are then sent
    /// uncompressed, which needs no agreement (RFC 7692 section 6).
    fileprivate mutating func limitSending(to bits: Int) {
        sending.windowBits = min(sending.windowBits, max(9, bits))
        if bits < 9 { minimumBytes = .max }
    }
}
