#if Redis
internal import NetCore

/// An error reply of a broker.
struct RedisError: Error, Sendable, Hashable {
    /// The first word, if it's in capital letters, such as `OOM` or `WRONGPASS`; otherwise `ERR`.
    let kind: String
    /// The rest of the line: at most 200 characters, without control characters.
    let message: String

    private static let maximumKind = 32
    private static let maximumMessage = 200
    private static let echo = ", with args beginning with"

    /// Parses the line of an error reply, without its dash.
    init(_ line: String) {
        let scalars = line.unicodeScalars.prefix(Self.maximumKind + 1 + Self.maximumMessage)
        var text = String(String.UnicodeScalarView(scalars.map { Self.isControl($0) ? " " : $0 }))[...]
        let word = text.prefix { $0 != " " }
        if !word.isEmpty, word.utf8.count <= Self.maximumKind, word.utf8.allSatisfy(Self.isCapital) {
            kind = String(word)
            text = text.dropFirst(word.count).drop { $0 == " " }
        } else {
            kind = "ERR"
        }
        // A broker that doesn't know AUTH repeats the password in its error.
        if let end = text.firstRange(of: Self.echo)?.lowerBound { text = text[..<end] }
        message = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.maximumMessage)))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 32 || scalar.value == 127 }

    private static func isCapital(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
    }
}

extension RedisError: CustomStringConvertible {
    /// The text of the error reply, such as `OOM command not allowed when used memory > 'maxmemory'.`
    var description: String { message.isEmpty ? kind : "\(kind) \(message)" }
}

extension RedisError {
    /// Returns the error of a call that received this reply: the broker, the reason, and advice.
    func netError(from address: RedisAddress, phase: NetError.Phase = .receiving) -> NetError {
        let (code, reason, advice) = meaning
        return NetError(
            code, phase: phase,
            message: "the broker at \(address) \(reason)" + (advice.isEmpty ? "" : "; \(advice)") + " (\(self))",
            underlying: self)
    }

    /// Returns the error of a connection that the broker refused with this reply. A reply of unknown meaning gets the
    /// code and the reason.
    func refusal(
        from address: RedisAddress, as code: NetError.Code = .connect, reason: String = "refused the connection"
    ) -> NetError {
        guard meaning.code == .unknown else { return netError(from: address, phase: .connecting) }
        return NetError(
            code, phase: .connecting, message: "the broker at \(address) \(reason) (\(self))", underlying: self)
    }

    private var meaning: (code: NetError.Code, reason: String, advice: String) {
        switch kind {
        case "ERR" where message.hasPrefix("max number of clients"):
            (.connect, "has reached its maximum number of connections", "raise its maxclients")
        case "OOM":
            (.limited, "has no memory left", "raise its maxmemory, or keep shorter histories")
        case "READONLY":
            (.connect, "is a replica, which doesn't accept writes", "use the address of the primary")
        case "MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN", "TRYAGAIN":
            (.unsupported, "belongs to a cluster, which isn't supported", "use a broker without cluster mode")
        case "NOAUTH":
            (.authentication, "requires a password", "add it to the address: redis://:password@host")
        case "WRONGPASS":
            (.authentication, "refused the user and password", "check them in the address and at the broker")
        case "NOPERM":
            (
                .authentication, "doesn't permit this command to its user",
                "give the user the commands, keys and channels"
            )
        case "LOADING":
            (.connect, "is still loading its data", "try again later")
        case "MASTERDOWN":
            (.connect, "is a replica without a connection to its primary", "use the address of the primary")
        case "BUSY":
            (.unknown, "is running a script that takes too long", "end it with SCRIPT KILL")
        case "MISCONF":
            (.unknown, "can't write its data to disk and doesn't accept writes", "check its log and its disk")
        case "NOSCRIPT":
            (.unknown, "doesn't have the script", "load it again")
        case "NOREPLICAS":
            (.unknown, "has too few replicas to accept writes", "check its replicas")
        default:
            (.unknown, "refused a command", "")
        }
    }
}
#endif
