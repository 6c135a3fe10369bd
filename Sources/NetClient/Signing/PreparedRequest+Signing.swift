internal import HTTPTypes
internal import NetCore
internal import NetCrypto

extension PreparedRequest {
    /// Returns the SHA-256 of the body; nil if there is none. Throws `.encoding` for a body that can be read only once.
    func bodyHash() async throws -> Bytes? {
        guard var hash = RunningHash(.sha256) else {
            throw NetError(.unsupported, phase: .preparing, message: "the system forbids SHA-256")
        }
        switch body {
        case .none: return nil
        case .bytes(let bytes): hash.update(bytes)
        case .stream(_, isReplayable: false, _):
            throw NetError(
                .encoding, phase: .preparing,
                message: "the body can be read only once, and its hash must be sent before it; make it replayable")
        case .stream(_, isReplayable: true, let make):
            let source = try make()
            while let chunk = try await source.next() { hash.update(chunk) }
        }
        return hash.finish()
    }

    /// Hides a header in all representations of the request, and its value in all outputs of the call.
    mutating func hide(_ name: HTTPField.Name, _ context: CallContext) {
        for field in head.headerFields[fields: name] { context.hide(credential: field.value) }
        let redaction = options.redaction ?? context.environment.redaction
        guard redaction != .disabled, !redaction.isSensitive(name) else { return }
        var stricter = redaction
        stricter.headerNames.insert(name.canonicalName)
        options.redaction = stricter
    }
}
