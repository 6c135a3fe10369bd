internal import Synchronization

/// A body source that reads a file up to a given length, piece by piece, on a thread for file work.
package final class FileBodySource: BodySource {
    private struct State {
        var file: ReadableFile?
        var offset: Int64 = 0
        var isCancelled = false
    }

    /// The maximum number of bytes in one read.
    package static let pieceBytes = 256 << 10

    /// The path of the file, all of which is the body.
    package let path: String
    private let length: Int64
    private let state = Mutex(State())

    /// Creates a source of exactly `length` bytes. Bytes that the file has gained since are ignored; a file that has
    /// shrunk makes reading throw `.encoding`.
    package init(path: String, length: Int64) {
        self.path = path
        self.length = length
    }

    package func next() async throws(NetError) -> Bytes? {
        let (file, offset, isCancelled) = state.withLock { ($0.file, $0.offset, $0.isCancelled) }
        guard !isCancelled, !Task.isCancelled else {
            throw NetError(.cancelled, phase: .sending, message: "the body was cancelled before its end")
        }
        guard offset < length else {
            cancel()
            return nil
        }
        let (path, wanted) = (path, Int(min(length - offset, Int64(Self.pieceBytes))))
        let (opened, piece) = try await FileThreads.shared.run { () throws(NetError) -> (ReadableFile, Bytes) in
            let opened: ReadableFile
            if let file { opened = file } else { opened = try ReadableFile(path: path) }
            return (opened, try opened.read(at: offset, count: wanted))
        }
        guard piece.count == wanted else {
            throw NetError(
                .encoding, phase: .sending,
                message:
                    "the file \"\(path)\" shrank to \(offset + Int64(piece.count)) of \(length) bytes while it was "
                    + "being sent"
            )
        }
        state.withLock { state in
            guard !state.isCancelled else { return }
            state.file = opened
            state.offset = offset + Int64(wanted)
        }
        return piece
    }

    package func cancel() {
        // The file is closed with its last reference, outside the lock.
        let file = state.withLock { state in
            state.isCancelled = state.offset < length
            return state.file.take()
        }
        _ = file
    }
}
