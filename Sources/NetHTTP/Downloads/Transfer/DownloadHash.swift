internal import NetCore
internal import NetCrypto
internal import Synchronization

/// The digests of a file that is being written. Bytes that come in order are hashed as they come, the others are read back.
final class DownloadHash: Sendable {
    private struct State: ~Copyable {
        var algorithms: Set<DigestAlgorithm> = []
        var hashes: BodyHashes?
        var position: Int64 = 0
        /// The digests, once they are finished.
        var digests: [DigestAlgorithm: Bytes]?

        mutating func begin(_ algorithms: Set<DigestAlgorithm>) {
            self.algorithms = algorithms
            hashes = algorithms.isEmpty ? nil : BodyHashes(algorithms)
            (position, digests) = (0, nil)
        }
    }

    /// The number of bytes that are read back at once.
    private static let step: Int64 = 1 << 20

    private let state = Mutex(State())

    /// Begins anew with other algorithms, those that are supported of them. None hashes nothing.
    func begin(_ algorithms: Set<DigestAlgorithm>) {
        state.withLock { $0.begin(algorithms) }
    }

    /// Begins anew unless these algorithms are among those that are computed.
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
            // The file may have to be moved into its place a second time.
            let digests = state.digests ?? state.hashes?.finish() ?? [:]
            state.hashes = nil
            state.digests = digests
            return digests
        }
    }
}
