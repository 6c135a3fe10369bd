#if canImport(Darwin)
internal import Foundation
internal import HTTPTypes
internal import NetCore

/// Runs a manager's downloads in the background: the system loads each file, which is then copied to the manager's
/// part file.
struct BackgroundRun: DownloadRunning {
    let background: BackgroundDownloads
    let client: HTTPClient
    let folder: DownloadFolder
    let threads: DownloadThreads
    let flushesAtEnd: Bool

    /// The number of bytes per copy operation.
    private static let step = 1 << 20

    func run(
        _ job: DownloadJob, report: @escaping @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> DownloadedFile {
        let (delegate, id) = (background.delegate, job.id)
        delegate.follow(id, report)
        defer { delegate.follow(id, nil) }
        let task = try await task(job)
        task?.resume()
        let result = await withTaskCancellationHandler {
            await delegate.result(of: id)
        } onCancel: {
            task?.cancel { delegate.keep($0, of: id) }
        }
        switch result {
        case .success(let loaded): return try await take(loaded, job, report)
        case .failure(let error) where Task.isCancelled || (error as? URLError)?.code == .cancelled:
            throw DownloadError(.cancelled, message: "the download was paused or cancelled", url: job.request.url)
        case .failure(let error): throw Self.failure(error, job, .receiving)
        }
    }

    /// Returns the error of a transfer that the system has abandoned.
    static func failure(_ error: any Error, _ job: DownloadJob, _ phase: NetError.Phase) -> DownloadError {
        let code = (error as? URLError)?.code ?? .unknown
        let host = URL(string: job.request.url)?.host ?? "the server"
        let verdict = URLSessionFailure.verdict(code, reason: error.localizedDescription, host: host, phase: phase)
        return DownloadError(
            .network, message: verdict.message, url: job.request.url,
            underlying: NetError(verdict.code, phase: verdict.phase, message: verdict.message))
    }

    /// Returns the task to wait for: a running one or a new one; nil if the result is already available.
    private func task(_ job: DownloadJob) async throws(DownloadError) -> URLSessionDownloadTask? {
        if background.delegate.hasResult(of: job.id) { return nil }
        if let task = await background.task(job.id) { return task }
        do throws(NetError) {
            let request = Request<Bytes>(url: job.request.url, headers: job.request.headers, serializer: .bytes)
            return background.makeTask(job.id, try client.prepare(request).urlRequest)
        } catch {
            throw DownloadError(
                .invalidURL, message: "the URL can't be requested: \(error.message)", url: job.request.url,
                underlying: error)
        }
    }

    private func take(
        _ loaded: BackgroundSessionDelegate.Loaded, _ job: DownloadJob, _ report: @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> DownloadedFile {
        guard let file = loaded.file else {
            throw DownloadError(.fileSystem, message: "the system delivered no file; try again", url: job.request.url)
        }
        defer { try? FileManager.default.removeItem(at: file) }
        let status = loaded.head?.status.code ?? 200
        let type = loaded.head?.headers[.contentType].flatMap { MediaType($0) }
        report(.response(status: status, type: type))
        guard (200...299).contains(status) else {
            throw DownloadError(
                .rejected, message: "the response (status \(status)) isn't the file", url: job.request.url,
                status: status)
        }
        let clock = client.configuration.clock
        return try await threads.run { [folder, flushesAtEnd] () throws(DownloadError) in
            let part = try folder.part(job.id, clock: clock)
            let bytes = try Self.copy(file, to: part, job.request.checksum)
            let disposition = loaded.head?.fileName.map { ContentDisposition(kind: "attachment", filename: $0) }
            let beginning = try part.read(0..<min(bytes, Int64(MediaType.sniffedBytes)))
            let name = DownloadName.choose(
                requested: job.request.fileName, disposition: disposition, url: job.request.url, id: job.id,
                contentType: type, head: beginning)
            let modified = loaded.head?.headers[.lastModified].flatMap { HTTPDate.date(from: $0) }
            let path = try part.finish(
                named: name, in: job.identity.folder, placing: job.request.existing.placing,
                modified: job.request.keepsServerDate ? modified : nil, flushes: flushesAtEnd)
            return DownloadedFile(path: path, bytes: bytes, type: type)
        }
    }

    /// Copies a file to a part file and verifies its digest. Blocks.
    private static func copy(
        _ file: URL, to part: PartFile, _ checksum: DownloadChecksum?
    ) throws(DownloadError) -> Int64 {
        try part.begin(DownloadVersion())
        let hash = DownloadHash()
        hash.begin(checksum.map { [$0.algorithm] } ?? [])
        var offset: Int64 = 0
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            while let data = try handle.read(upToCount: step), !data.isEmpty {
                let bytes = Bytes(data)
                try part.write(bytes, at: offset)
                hash.update(bytes, at: offset)
                offset += Int64(bytes.count)
            }
        } catch let error as DownloadError {
            throw error
        } catch {
            throw DownloadError(.fileSystem, message: "the file that the system downloaded can't be read; try again")
        }
        part.setLength(offset)
        if let checksum, try hash.finish(part, length: offset)[checksum.algorithm]?.hexadecimal != checksum.hexadecimal
        {
            throw DownloadError(
                .checksumMismatch,
                message:
                    "the file doesn't have the digest \(checksum); it was changed in transit or on the server; "
                    + "download it again, or correct the expected digest")
        }
        return offset
    }
}
#endif
