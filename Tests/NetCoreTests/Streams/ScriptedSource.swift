import HTTPTypes
import Synchronization

@testable import NetCore

/// A body source that returns given chunks, then fails, ends, or waits until it is cancelled.
final class ScriptedSource: BodySource {
    private struct State {
        var chunks: [String]
        var isCancelled = false
        var wasRead = false
    }

    private let state: Mutex<State>
    private let failure: NetError?
    private let waits: Bool

    init(_ chunks: [String], failure: NetError? = nil, waits: Bool = false) {
        state = Mutex(State(chunks: chunks))
        self.failure = failure
        self.waits = waits
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func next() async throws(NetError) -> Bytes? {
        let chunk = state.withLock { state -> String? in
            state.wasRead = true
            return state.chunks.isEmpty || state.isCancelled ? nil : state.chunks.removeFirst()
        }
        if let chunk { return Bytes(chunk.utf8) }
        if let failure { throw failure }
        while waits {
            guard !Task.isCancelled else { throw NetError(.cancelled, phase: .receiving, message: "cancelled") }
            await Task.yield()
        }
        return nil
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    func waitUntilRead() async {
        while !state.withLock({ $0.wasRead }), !Task.isCancelled { await Task.yield() }
    }
}

extension ResponseSerializer {
    /// Converts a body that is still arriving, like a client.
    func streamedValue(
        of body: ResponseBody, status: HTTPResponse.Status = .ok, type: String? = "text/event-stream"
    ) throws -> Value {
        guard case .streamed(let convert) = conversion else {
            throw NetError(.unsupported, phase: .decoding, message: "the serializer collects its body")
        }
        var headers = HTTPFields()
        headers[.contentType] = type
        return try convert(ResponseHead(status: status, headers: headers), body, SerializationContext())
    }
}
