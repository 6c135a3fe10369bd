/// The peer's batches that wait for replies. The response to each batch is sent as a whole, after the last reply.
struct JSONRPCBatches {
    private struct Batch {
        var missing: Set<SocketID>
        var responses: [String]
        /// The number of responses, once all are there.
        var size: Int { missing.count + responses.count }
    }

    /// The maximum number of waiting responses in all batches: a limit for the memory that a peer can use on this
    /// side.
    static let maximum = 1024

    private var open: [Batch] = []
    private var count = 0

    /// Adds a batch that was read, with the responses to its invalid members. Returns the response that can be sent
    /// immediately; nil for none.
    mutating func open(_ signals: [WireSignal], _ responses: [String]) -> String? {
        let missing = Set(
            signals.compactMap { if case .request(let request) = $0 { request.id } else { nil } })
        let batch = Batch(missing: missing, responses: responses)
        guard missing.isEmpty || count + batch.size > Self.maximum else {
            open.append(batch)
            count += batch.size
            return nil
        }
        return responses.isEmpty ? nil : Self.text(responses)
    }

    /// Adds the response to a request. Returns the text to send: the response itself if its request wasn't in a batch,
    /// and nil while other responses of its batch are missing.
    mutating func complete(_ id: SocketID, with response: String) -> String? {
        guard let index = open.firstIndex(where: { $0.missing.contains(id) }) else { return response }
        open[index].missing.remove(id)
        open[index].responses.append(response)
        guard open[index].missing.isEmpty else { return nil }
        let batch = open.remove(at: index)
        count -= batch.size
        return Self.text(batch.responses)
    }

    private static func text(_ responses: [String]) -> String { "[" + responses.joined(separator: ",") + "]" }
}
