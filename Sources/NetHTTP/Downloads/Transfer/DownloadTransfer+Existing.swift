internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// The file that may be in the download's place already.
extension DownloadTransfer {
    /// Examines the existing file before the first request. Returns it if it's the requested one.
    ///
    /// Throws `.fileExists` if the caller has chosen the name, it's in use, and must not be replaced.
    func existingFile() async throws(DownloadError) -> DownloadedFile? {
        let isRequested = job.request.fileName != nil
        let name = plannedName(nil)
        if job.request.existing == .fail {
            if isRequested { try await refuse(name) }
            return nil
        }
        guard job.request.existing == .ask || job.request.checksum != nil else { return nil }
        let (folder, identity) = (run.folder, job.identity)
        let (known, other) = try await run.threads.run { () throws(DownloadError) in
            let known = try folder.known.file(from: identity.url, in: identity.folder)
            let status = try folder.status(named: name, in: identity.folder)
            let path = identity.folder.isEmpty ? name : "\(identity.folder)/\(name)"
            let isKnown = try folder.known.contains(path: path)
            return (known, isKnown ? nil : status)
        }
        let earlier = known.flatMap { !isRequested || $0.name == name ? $0 : nil }
        for name in Set([earlier?.name, name].compactMap(\.self)) {
            guard try await hasChecksum(name) else { continue }
            return try await leaveExisting(ExistingCopy(name: name))
        }
        guard job.request.existing == .ask else { return nil }
        let copy: ExistingCopy?
        if let earlier {
            copy = try await isUnchanged(earlier) ? ExistingCopy(earlier) : nil
        } else {
            copy = other.map { ExistingCopy(name: name, $0) }
        }
        state.withLock { ($0.existing, $0.known) = (copy, earlier) }
        return nil
    }

    /// Examines the existing file once the response has named it, before its body is read. Returns true if the body
    /// isn't needed.
    func hasExisting(_ head: ResponseHead, length: Int64?) async throws(DownloadError) -> Bool {
        if let copy = state.withLock({ $0.existing }), copy.isCurrent(head, length: length) { return true }
        guard job.request.fileName == nil else { return false }
        let name = plannedName(head.fileName)
        if job.request.existing == .fail {
            // A name without an extension gets that of the contents.
            if name.dropFirst().contains(".") { try await refuse(name) }
        } else if name != plannedName(nil), try await hasChecksum(name) {
            state.withLock { ($0.existing, $0.known) = (ExistingCopy(name: name), nil) }
            return true
        }
        return false
    }

    /// Returns the existing file if it's still the one that was compared; else nil, to load the file.
    func leaveUnchanged() async throws(DownloadError) -> DownloadedFile? {
        let (copy, known) = state.withLock { state in
            defer { (state.existing, state.known) = (nil, nil) }
            return (state.existing, state.known)
        }
        guard let copy else { return nil }
        if let known {
            guard try await isUnchanged(known) else { return nil }
        }
        return try await leaveExisting(copy)
    }

    private func leaveExisting(_ copy: ExistingCopy) async throws(DownloadError) -> DownloadedFile? {
        let (part, folder, subfolder) = (part, run.folder, job.identity.folder)
        let found = try await run.threads.run { () throws(DownloadError) -> (path: String, bytes: Int64)? in
            guard let status = try folder.status(named: copy.name, in: subfolder) else { return nil }
            try part.discard()
            return (folder.path(named: copy.name, in: subfolder), status.length)
        }
        guard let found else { return nil }
        return DownloadedFile(path: found.path, bytes: found.bytes, type: state.withLock { $0.type }, isNew: false)
    }

    private func isUnchanged(_ known: KnownFile) async throws(DownloadError) -> Bool {
        let folder = run.folder
        return try await run.threads.run { () throws(DownloadError) in try folder.isUnchanged(known) }
    }

    /// Returns true if there is a file of this name with the checksum of the request.
    private func hasChecksum(_ name: String) async throws(DownloadError) -> Bool {
        guard let checksum = job.request.checksum, let digest = checksum.digest else { return false }
        let (transfer, folder, subfolder) = (self, run.folder, job.identity.folder)
        let found = try await cancelling { () throws(DownloadError) in
            try folder.digest(checksum.algorithm, named: name, in: subfolder) {
                transfer.state.withLock { $0.isCancelled }
            }
        }
        guard !Task.isCancelled else { throw cancelled }
        return found == digest
    }

    private func refuse(_ name: String) async throws(DownloadError) {
        let (folder, subfolder) = (run.folder, job.identity.folder)
        let exists = try await run.threads.run { () throws(DownloadError) in
            try folder.status(named: name, in: subfolder) != nil
        }
        guard exists else { return }
        throw DownloadError(
            .fileExists,
            message: "\"\(folder.path(named: name, in: subfolder))\" exists; remove it, or choose another name")
    }

    /// Runs long work on a thread; `isCancelled` of the state is true once the task is cancelled.
    private func cancelling<Value: Sendable>(
        _ body: @escaping @Sendable () throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        let threads = run.threads
        let result = await withTaskCancellationHandler {
            do throws(DownloadError) {
                return Result<Value, DownloadError>.success(try await threads.run(body))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            state.withLock { $0.isCancelled = true }
        }
        return try result.get()
    }
}
