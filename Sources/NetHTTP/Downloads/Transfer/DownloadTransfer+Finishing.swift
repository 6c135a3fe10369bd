internal import HTTPTypes
internal import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DownloadTransfer {
    /// Verifies the file and moves it to its final place. Returns nil if it must be loaded again, because its parts
    /// were from different files.
    func finishUnlessWrong(_ writer: DownloadWriter) async throws(DownloadError) -> DownloadedFile? {
        do throws(DownloadError) {
            return try await finish(writer)
        } catch {
            let isWrong = [.checksumMismatch, .wrongLength].contains(error.code)
            guard isWrong || error.underlying?.code == .decoding else { throw error }
            let part = part
            try await run.threads.run { () throws(DownloadError) in try part.begin(DownloadVersion()) }
            let isFirst = state.withLock { state in
                // If a single response contained the whole file, it was corrupted on the server or in transit.
                defer { (state.isRejoined, state.wantsWhole, state.mayDivide) = (true, true, false) }
                return state.isJoined && !state.isRejoined
            }
            guard isFirst else { throw error }
            return nil
        }
    }

    private func finish(_ writer: DownloadWriter) async throws(DownloadError) -> DownloadedFile {
        let transfer = self
        let result = await withTaskCancellationHandler {
            do throws(DownloadError) {
                return Result<(Form, String), DownloadError>.success(
                    try await writer.run { () throws(DownloadError) in
                        let form = try transfer.form()
                        return (form, try transfer.place(form))
                    })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            // A long decoding ends. A file that is being moved isn't affected.
            transfer.state.withLock { $0.isCancelled = true }
        }
        let (form, path) = try result.get()
        let bytes = form.decoded?.length ?? part.received.count
        report(.bytes(bytes))
        return DownloadedFile(path: path, bytes: bytes, type: state.withLock { $0.type })
    }

    private func place(_ form: Form) throws(DownloadError) -> String {
        let version = part.version
        let date =
            job.request.keepsServerDate
            ? version?.validators.lastModified.flatMap { HTTPDate.date(from: $0) } : nil
        var beginning = state.withLock { $0.beginning }
        if let decoded = form.decoded {
            beginning = try decoded.beginning()
        } else if beginning == nil {
            beginning = try part.read(0..<min(part.received.prefixEnd, Int64(MediaType.sniffedBytes)))
        }
        var name = name(version?.fileName, beginning: beginning ?? Bytes())
        if let ending = form.fileExtension { name = DownloadName.adding(ending, to: name) }
        return try part.finish(
            named: name, in: job.identity.folder, placing: job.request.existing.placing, decoded: form.decoded,
            from: job.identity.url, modified: date, flushes: run.settings.flushesAtEnd)
    }

    /// The name of the file, as far as it can be determined before the first byte.
    func plannedName(_ fileName: String?) -> String { name(fileName, beginning: Bytes()) }

    private func name(_ fileName: String?, beginning: Bytes) -> String {
        DownloadName.choose(
            requested: job.request.fileName,
            disposition: fileName.map { ContentDisposition(kind: "attachment", filename: $0) }, url: job.request.url,
            id: job.id,
            contentType: state.withLock { $0.type }, head: beginning)
    }
}

extension DownloadTransfer {
    var cancelled: DownloadError {
        DownloadError(.cancelled, message: "the download was paused or cancelled; the bytes transferred are kept")
    }

    /// Returns the error of a call that isn't retried.
    func failure(_ error: NetError) -> DownloadError {
        if error.code == .invalidRequest {
            return DownloadError(
                .invalidURL, message: "the URL can't be requested: \(error.message)", underlying: error)
        }
        let code: DownloadError.Code = error.code == .authentication ? .authentication : .network
        return DownloadError(code, message: "the file couldn't be downloaded: \(error.reason)", underlying: error)
    }

    /// Returns the error of an attempt, with a note about the attempts.
    func error(_ code: DownloadError.Code, for result: RetryDecision.Result, note: String?) -> DownloadError {
        let end = note.map { "; \($0)" } ?? ""
        switch result {
        case .failure(let error):
            let code = error.code == .authentication && code == .network ? .authentication : code
            return DownloadError(
                code, message: "the file couldn't be downloaded: \(error.reason)\(end)", underlying: error)
        case .response(let status, _):
            let code = code == .network ? .rejected : code
            return DownloadError(
                code, message: "the server responded with status \(status) instead of the file\(end)", status: status)
        }
    }

    func rejection(_ status: Int, _ reason: String?) -> DownloadError {
        DownloadError(
            .rejected,
            message: "the response (status \(status)) isn't the file" + (reason.map { ": \($0)" } ?? ""),
            status: status)
    }
}
