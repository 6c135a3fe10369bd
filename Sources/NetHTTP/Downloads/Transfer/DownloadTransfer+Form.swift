internal import HTTPTypes
internal import NetCore
internal import Synchronization

extension DownloadTransfer {
    /// The form in which a complete file is kept.
    struct Form: Sendable {
        /// The decoded file; nil to keep the bytes as they were received.
        var decoded: DecodedPart?
        /// The extension that shows the coding of the bytes, if the name doesn't; nil for none.
        var fileExtension: String?
    }

    /// Verifies the digests of a complete file, and decodes it if that's the form to keep. Blocks.
    ///
    /// | the body is coded, and | the form |
    /// |---|---|
    /// | there is a digest | the one that has it, whatever the name |
    /// | its name or type is that of a compressed file | as received, unless it was compressed twice |
    /// | its first bytes show that it isn't | as received |
    /// | the coding is supported | decoded |
    /// | it isn't | as received, with the coding as another extension |
    func form() throws(DownloadError) -> Form {
        guard let coding = FileCoding(part.version?.coding),
            case let beginning = try part.read(0..<min(part.received.prefixEnd, 64 << 10)), !beginning.isEmpty,
            coding.fits(beginning)
        else {
            try compareDigests()
            return Form()
        }
        let own = ownDigests
        let expected = own.isEmpty ? state.withLock { $0.digests } : own
        guard expected.isEmpty else {
            let found = try hash.finish(part, length: part.received.end)
            if expected.allSatisfy({ found[$0] == $1 }) { return Form() }
            if let codings = coding.decodable {
                let decoded = try decode(codings, Set(expected.keys))
                if expected.allSatisfy({ decoded.digests[$0] == $1 }) { return Form(decoded: decoded) }
                dropDecoded()
            }
            throw mismatch(expected, found)
        }
        let isPacked = part.version?.isPacked == true
        guard let codings = coding.decodable else { return Form(fileExtension: isPacked ? nil : coding.fileExtension) }
        if isPacked {
            let packing = Packing(name: plannedName(part.version?.fileName), type: state.withLock { $0.type })
            let isTwice = packing?.begins(DecodedPart.beginning(of: beginning, codings)) ?? false
            if !isTwice { return Form() }
        }
        return Form(decoded: try decode(codings, []))
    }

    private func decode(
        _ codings: [ContentCoding], _ algorithms: Set<DigestAlgorithm>
    ) throws(DownloadError) -> DecodedPart {
        let decoded = try DecodedPart(of: part)
        var checked: Int64 = 0
        do throws(DownloadError) {
            try decoded.fill(from: part, codings, algorithms) { length throws(DownloadError) in
                if state.withLock({ $0.isCancelled }) { throw cancelled }
                guard length - checked >= Self.roomStep else { return }
                checked = length
                if let error = noRoom(free: try run.folder.freeBytes(), rest: 0) { throw error }
            }
        } catch {
            dropDecoded()
            throw error
        }
        return decoded
    }

    /// Removes the decoded file, which may be large; otherwise it goes with the task.
    private func dropDecoded() { try? part.folder.removeIfThere(DownloadFolder.decoded(part.id)) }

    private func compareDigests() throws(DownloadError) {
        let expected = state.withLock { $0.digests }
        guard !expected.isEmpty else { return }
        let found = try hash.finish(part, length: part.received.end)
        if expected.contains(where: { found[$0] != $1 }) { throw mismatch(expected, found) }
    }

    /// Returns the error of a file that doesn't have its digests.
    private func mismatch(
        _ expected: [DigestAlgorithm: Bytes], _ found: [DigestAlgorithm: Bytes]
    ) -> DownloadError {
        let wrong = expected.first { found[$0] != $1 }
        guard let wrong, let own = found[wrong.key] else {
            let name = wrong?.key.rawValue ?? "its algorithm"
            return DownloadError(
                .checksumMismatch, message: "the checksum can't be compared, because \(name) isn't available")
        }
        let coding = part.version?.coding.map { ", also once \($0) is decoded" } ?? ""
        return DownloadError(
            .checksumMismatch,
            message:
                "the file has the \(wrong.key.rawValue) digest \(own.hexadecimal) instead of "
                + "\(wrong.value.hexadecimal)\(coding): it was changed in transit or on the server; download it "
                + "again, or correct the expected digest")
    }
}
