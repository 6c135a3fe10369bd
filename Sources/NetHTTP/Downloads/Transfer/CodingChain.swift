internal import NetCompression
internal import NetCore

/// Decodes a body with one or several content codings, piece by piece, and ends at a decompression bomb.
final class CodingChain {
    /// One coding.
    private final class Stage {
        let coding: ContentCoding
        var decoder: any StreamDecoder & ~Copyable

        init(_ coding: ContentCoding) {
            self.coding = coding
            decoder = coding.makeDecoder()
        }
    }

    /// The maximum number of decoded bytes per received byte: the default of `CurlTransport`.
    private static let maximumExpansion = 250.0

    private let stages: [Stage]
    private var guardian = ExpansionGuard(limit: maximumExpansion)

    /// Creates the decoders of codings, which are in the order in which they were applied.
    init(_ codings: [ContentCoding]) { stages = codings.reversed().map(Stage.init) }

    /// Decodes the next bytes of the body. Throws `.network` with an underlying decoding error if they aren't in the
    /// codings, and the errors of `write`, which gets each decoded piece.
    func decode(_ bytes: Bytes, write: (Bytes) throws(DownloadError) -> Void) throws(DownloadError) {
        guardian.received += Int64(bytes.count)
        try feed(bytes, 0, write)
    }

    /// Ends the body. Throws if it's incomplete.
    func finish() throws(DownloadError) {
        for stage in stages { try attempt(stage) { stage throws(CodingFailure) in try stage.decoder.finish() } }
    }

    private func feed(_ bytes: Bytes, _ index: Int, _ write: (Bytes) throws(DownloadError) -> Void)
        throws(DownloadError)
    {
        guard index < stages.count else {
            guardian.decoded += Int64(bytes.count)
            guard !guardian.isExceeded else { throw failure(guardian.error) }
            return try write(bytes)
        }
        var input = bytes
        while let piece = try attempt(
            stages[index], { stage throws(CodingFailure) in try stage.decoder.piece(of: &input) })
        {
            try feed(piece, index + 1, write)
        }
    }

    private func attempt<Value>(
        _ stage: Stage, _ body: (Stage) throws(CodingFailure) -> Value
    ) throws(DownloadError) -> Value {
        do throws(CodingFailure) {
            return try body(stage)
        } catch {
            throw failure(error.error(stage.coding))
        }
    }

    private func failure(_ error: NetError) -> DownloadError {
        DownloadError(
            .network,
            message: "the file can't be decoded: \(error.message); the server's Content-Encoding is wrong, or the file "
                + "is damaged there", underlying: error)
    }
}
