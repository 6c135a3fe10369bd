#if Tools && Server
/// The fourteen proofs. Each is written once, with the lab's clients, and passes in both modes.
enum Proofs {
    static let all = [
        json, text, empty, raw, cacheLab, contractServer, timeout, typed401, retry429, error500, malformedJSON,
        cancellation, webSocketEcho, socketClose,
    ]
}
#endif
