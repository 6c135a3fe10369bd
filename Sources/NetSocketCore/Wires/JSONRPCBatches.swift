/// The peer's batches that wait for replies, each answered as a whole after the last one.
struct JSONRPCBatches {
    private struct Batch {
        var missing: Set<SocketID>
        var responses: [String]
        /// The number of responses, once all are there.
        var size: Int { missing.count + responses.count }
    }

    /// The number of responses that may wait, over all batches: a bound for what a peer can make this side remember.
    static let maximum = 1024

    private var open: [Batch] = []
    private var count = 0

    /// Takes a batch that was read, and the responses to its members that aren't valid. Returns what can be answered
    /// immediately: nil for nothing.
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

    /// Takes the response to a request. Returns what is to be sent: the response itself if its request was in no batch, and
    /// nil while others of its batch are missing.
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
