/// Parses challenges line by line: a line may continue the parameters of the challenge before it (RFC 9110 section
/// 5.3).
struct AuthChallengeParser {
    private struct Draft {
        let scheme: String
        var token68: String?
        var parameters: [FieldParameter] = []
        var isGood = true

        var challenge: AuthChallenge? {
            isGood ? AuthChallenge(scheme: scheme, token68: token68, parameters: parameters) : nil
        }
    }

    private var finished: [AuthChallenge] = []
    private var draft: Draft?

    mutating func finish() -> [AuthChallenge] {
        if let challenge = draft.take()?.challenge { finished.append(challenge) }
        return finished
    }

    mutating func read(_ line: String) {
        guard line.utf8.count <= AuthChallenge.maximumBytes else { return }
        var reader = FieldValueReader(line)
        while !reader.isAtEnd {
            reader.skipBlanks()
            if reader.isAtElementEnd {
                _ = reader.skip(",")
                continue
            }
            readElement(&reader)
            reader.skipBlanks()
            if !reader.isAtElementEnd {
                draft?.isGood = false
                reader.skipElement()
            }
        }
    }

    /// Reads the element between two commas: a parameter of the previous challenge, or a new scheme and the first item
    /// that follows it.
    private mutating func readElement(_ reader: inout FieldValueReader) {
        let start = reader
        guard let word = reader.token() else {
            draft?.isGood = false
            return
        }
        reader.skipBlanks()
        if reader.skip("=") {
            reader = start
            readParameter(&reader)
            return
        }
        if let challenge = draft.take()?.challenge { finished.append(challenge) }
        draft = Draft(scheme: word)
        if reader.isAtElementEnd { return }
        let rest = reader
        if let token68 = reader.token68() {
            draft?.token68 = token68
        } else {
            reader = rest
            readParameter(&reader)
        }
    }

    private mutating func readParameter(_ reader: inout FieldValueReader) {
        guard let parameter = reader.authParameter(), let draft, draft.token68 == nil,
            draft.parameters.count < AuthChallenge.maximumParameters,
            !draft.parameters.contains(where: { $0.name == parameter.name })
        else {
            draft?.isGood = false
            return
        }
        self.draft?.parameters.append(parameter)
    }
}

extension FieldParameter {
    /// Returns the parameters of a header that consists only of parameters, such as `Authentication-Info`; nil if it is
    /// malformed, or if a parameter occurs twice.
    package static func list(_ text: String) -> [FieldParameter]? {
        guard text.utf8.count <= AuthChallenge.maximumBytes else { return nil }
        var reader = FieldValueReader(text)
        var parameters: [FieldParameter] = []
        while !reader.isAtEnd {
            reader.skipBlanks()
            if reader.skip(",") || reader.isAtEnd { continue }
            guard let parameter = reader.authParameter(), parameters.count < AuthChallenge.maximumParameters,
                !parameters.contains(where: { $0.name == parameter.name })
            else { return nil }
            parameters.append(parameter)
            reader.skipBlanks()
            guard reader.isAtElementEnd else { return nil }
        }
        return parameters
    }
}

extension FieldValueReader {
    /// Reads `name = value`, with optional blanks around the sign; nil if there is none.
    fileprivate mutating func authParameter() -> FieldParameter? {
        guard let name = token() else { return nil }
        skipBlanks()
        guard skip("=") else { return nil }
        skipBlanks()
        return (quotedString() ?? token()).map { FieldParameter(name, $0) }
    }
}
