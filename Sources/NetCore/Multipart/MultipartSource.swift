internal import Synchronization

/// Segments one after another, each created when it is needed.
final class MultipartSource: BodySource {
    enum Segment: Sendable {
        case bytes(Bytes)
        case file(path: String, length: Int64)
        case stream(length: Int64?, isReplayable: Bool, make: @Sendable () throws -> any BodySource)

        var length: Int64? {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(_, let length): length
            case .stream(let length, _, _): length
            }
        }

        var isReplayable: Bool {
            if case .stream(_, let isReplayable, _) = self { isReplayable } else { true }
        }
    }

    private struct State {
        var index = 0
        var current: (any BodySource)?
        var sent: Int64 = 0
        var isCancelled = false
    }

    private let segments: [Segment]
    private let state = Mutex(State())

    init(_ segments: [Segment]) {
        self.segments = segments
    }

    deinit { cancel() }

    func next() async throws(NetError) -> Bytes? {
        while true {
            let (index, source, isCancelled) = state.withLock { ($0.index, $0.current, $0.isCancelled) }
            guard !isCancelled else {
                throw NetError(.cancelled, phase: .sending, message: "the body was cancelled before its end")
            }
            guard index < segments.count else { return nil }
            if case .bytes(let bytes) = segments[index] {
                advance()
                if bytes.isEmpty { continue }
                return bytes
            }
            let current: any BodySource
            if let source { current = source } else { current = try begin(segments[index]) }
            guard let chunk = try await current.next() else {
                try check(segments[index].length, isEnd: true)
                advance()
                continue
            }
            state.withLock { $0.sent += Int64(chunk.count) }
            try check(segments[index].length, isEnd: false)
            return chunk
        }
    }

    private func begin(_ segment: Segment) throws(NetError) -> any BodySource {
        let source: any BodySource
        switch segment {
        case .bytes(let bytes): source = SequenceBodySource(ResponseBody(bytes))
        case .file(let path, let length): source = FileBodySource(path: path, length: length)
        case .stream(_, _, let make):
            do {
                source = try make()
            } catch {
                if let error = NetError(error) { throw error }
                throw NetError(
                    .encoding, phase: .sending,
                    message: "a part of the form cannot be read: \(ErrorSummary.describe(error))", underlying: error)
            }
        }
        let isLate = state.withLock { state in
            state.current = source
            return state.isCancelled
        }
        if isLate { source.cancel() }
        return source
    }

    /// Throws if a part has fewer or more bytes than declared, because the boundary would then be misplaced.
    private func check(_ length: Int64?, isEnd: Bool) throws(NetError) {
        let sent = state.withLock { $0.sent }
        guard let length, isEnd ? sent != length : sent > length else { return }
        throw NetError(
            .encoding, phase: .sending,
            message:
                "a part of the form \(isEnd ? "ended after \(sent) of" : "is longer than") its declared \(length) bytes"
        )
    }

    private func advance() {
        state.withLock { state in
            state.index += 1
            state.current = nil
            state.sent = 0
        }
    }

    func cancel() {
        let source = state.withLock { state in
            state.isCancelled = true
            return state.current.take()
        }
        source?.cancel()
    }
}
