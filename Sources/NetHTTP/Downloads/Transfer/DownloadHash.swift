internal import NetCore
internal import NetCrypto
internal import Synchronization

/// The digests of a file that is being written. Bytes that arrive in order are hashed immediately; the others are
/// read back later.
final class DownloadHash: Sendable {
    private struct State: ~Copyable {
        var algorithms: Set<DigestAlgorithm> = []
        var hashes: BodyHashes?
        var position: Int64 = 0
        /// The digests, once they're complete.
        var digests: [DigestAlgorithm: Bytes]?

        mutating func begin(_ algorithms: Set<DigestAlgorithm>) {
            self.algorithms = algorithms
            hashes = algorithms.isEmpty ? nil : BodyHashes(algorithms)
            (position, digests) = (0, nil)
        }
    }

    /// The number of bytes that are read back in one piece.
    private static let step: Int64 = 1 << 20

    private let state = Mutex(State())

    /// Restarts with other algorithms, of which the supported ones are computed. An empty set computes nothing.
    func begin(_ algorithms: Set<DigestAlgorithm>) {
        state.withLock { $0.begin(algorithms) }
    }

    /// Restarts unless these algorithms are already being computed.
    func require(_ algorithms: Set<DigestAlgorithm>) {
        state.withLock { state in
            if !algorithms.isSubset(of: state.algorithms) { state.begin(algorithms) }
        }
    }

    /// Adds bytes that were written at an offset.
    func update(_ bytes: Bytes, at offset: Int64) {
        state.withLock { state in
            guard state.hashes != nil, offset == state.position else { return }
            state.hashes?.update(bytes)
            state.position += Int64(bytes.count)
        }
    }

    /// Returns the digests of the first `length` bytes of the file. Blocks.
    func finish(_ part: PartFile, length: Int64) throws(DownloadError) -> [DigestAlgorithm: Bytes] {
        try state.withLock { (state) throws(DownloadError) in
            while state.hashes != nil, state.position < length {
                let end = min(state.position + Self.step, length)
                let bytes = try part.read(state.position..<end)
                state.hashes?.update(bytes)
                state.position = end
            }
            // Kept, because moving the file to its final place may have to be repeated.
            let digests = state.digests ?? state.hashes?.finish() ?? [:]
            state.hashes = nil
            state.digests = digests
            return digests
        }
    }
}
