#if Tools && Server
internal import NetCore

/// A line of input.
enum TypedLine: Equatable {
    case send(String, JSONValue?)
    case push(String, JSONValue?)
    case text(String)
    case join(String, JSONValue?)
    case leave(String)
    /// Sets the channel for the following messages; nil for none.
    case use(String?)
    case subscribe(String)
    case unsubscribe(Int)
    case state, pause, resume, reconnect, help, quit

    static let instructions = """
        send EVENT [JSON]    a command; its reply is printed
        push EVENT [JSON]    a message without a reply
        text TEXT            a message as it is (wire protocol raw)
        join TOPIC [JSON]    joins a channel, and joins it again on each new connection
        leave TOPIC          leaves it
        in [TOPIC]           sends in that channel from now on; without a topic in none
        sub QUERY            a GraphQL subscription; its events are printed
        unsub NUMBER         ends it
        state                the state of the session
        pause, resume, reconnect
        quit                 closes the session; so does the end of the input
        """

    /// An error in a line.
    struct Problem: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// Parses a line; nil for an empty line and for a comment, which begins with `#`.
    static func read(_ line: String) throws(Problem) -> TypedLine? {
        let line = line.trimmed
        guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
        let (verb, rest) = line.cut
        switch verb {
        case "send", "push", "join":
            let (name, json) = rest.cut
            guard !name.isEmpty else { throw missing(verb == "join" ? "TOPIC" : "EVENT", verb) }
            let value = try Self.value(json)
            return verb == "send" ? .send(name, value) : verb == "push" ? .push(name, value) : .join(name, value)
        case "text": return .text(rest)
        case "leave": return .leave(try required(rest, "TOPIC", verb))
        case "in": return .use(rest.isEmpty ? nil : rest)
        case "sub": return .subscribe(try required(rest, "QUERY", verb))
        case "unsub":
            guard let number = Int(rest) else { throw missing("NUMBER", verb) }
            return .unsubscribe(number)
        default:
            let plain: [String: TypedLine] = [
                "state": .state, "pause": .pause, "resume": .resume, "reconnect": .reconnect, "help": .help,
                "quit": .quit,
            ]
            guard let known = plain[verb] else {
                throw Problem(description: "there is no command \"\(verb)\"; help lists them")
            }
            return known
        }
    }

    private static func value(_ json: String) throws(Problem) -> JSONValue? {
        guard !json.isEmpty else { return nil }
        do { return try JSONCoding.standard.decode(JSONValue.self, from: Bytes(json.utf8)) } catch {
            throw Problem(description: "this isn't JSON: \(Text.cut(json, to: 40))")
        }
    }

    private static func required(_ text: String, _ name: String, _ verb: String) throws(Problem) -> String {
        guard !text.isEmpty else { throw missing(name, verb) }
        return text
    }

    private static func missing(_ name: String, _ verb: String) -> Problem {
        Problem(description: "\(verb) needs a \(name); see help")
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The first word, and the rest of the line.
    fileprivate var cut: (String, String) {
        let parts = split(maxSplits: 1, whereSeparator: \.isWhitespace)
        return (parts.first.map(String.init) ?? "", parts.count > 1 ? String(parts[1]).trimmed : "")
    }
}
#endif
