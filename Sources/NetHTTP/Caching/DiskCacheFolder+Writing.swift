internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension DiskCacheFolder {
    /// A body that is being written. The length of its file is the space reserved for it.
    struct Draft: Sendable {
        let path: String
        let file: DiskCacheFile
        var reserved: Int64
        /// The bytes written to the file.
        var written: Int64 = 0
        /// The bytes of the body.
        var count: Int64 = 0
    }

    /// The step by which the reserved space of a body of unknown length grows.
    var growth: Int64 { min(256 << 10, maximumBytes / 32) }

    func beginDraft(length: Int64?) -> Draft? {
        guard make() else { return nil }
        let reserved = length ?? growth
        return locked { count -> Draft? in
            guard reserve(reserved, &count) else { return nil }
            let path = draftPath()
            // Under the lock of the folder, so that no sweep finds the draft unlocked.
            guard let file = DiskCacheFile.create(path), file.lock(), file.setLength(reserved) else {
                unlink(path)
                count.add(-reserved)
                return nil
            }
            return Draft(path: path, file: file, reserved: reserved)
        }.flatMap { $0 }
    }

    /// Writes the next chunk of a body.
    func write(_ bytes: Bytes, to draft: inout Draft) -> Bool {
        guard let transform else {
            draft.count += Int64(bytes.count)
            return append(bytes, to: &draft)
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(SealedBody.pieceBytes)
            guard let sealed = SealedBody.frame(Bytes(piece), by: transform), append(sealed, to: &draft) else {
                return false
            }
            draft.count += Int64(piece.count)
            rest = rest.dropFirst(piece.count)
        }
        return true
    }

    private func append(_ bytes: Bytes, to draft: inout Draft) -> Bool {
        let end = draft.written + Int64(bytes.count)
        if end > draft.reserved {
            let more = max(end - draft.reserved, growth)
            let isReserved = locked { count -> Bool in
                guard reserve(more, &count) else { return false }
                return draft.file.setLength(draft.reserved + more)
            }
            guard isReserved == true else { return false }
            draft.reserved += more
        }
        guard draft.file.write(bytes, at: draft.written) else { return false }
        draft.written = end
        return true
    }

    /// If the lock can't be acquired, the count stays too high.
    func discard(_ draft: Draft) {
        unlink(draft.path)
        _ = locked { $0.add(-draft.reserved) }
    }

    /// Makes the draft the body of an entry; false if that fails, in which case the draft is removed.
    func commit(_ draft: Draft, as entry: CacheEntry, replacing isReplaced: (CacheEntry) -> Bool) -> Bool {
        let name = Self.name(entry.key)
        let isDone = locked { count -> Bool in
            guard draft.file.setLength(draft.written) else { return false }
            count.add(draft.written - draft.reserved)
            return change(entry.key, name, &count) { entries in
                entries.removeAll(where: isReplaced)
                entries.append(entry)
                if entries.count > CacheMiddleware.maximumVariants { entries.removeFirst() }
            } first: {
                rename(draft.path, bodyPath(name, entry.id)) == 0
            }
        }
        if isDone == true { return true }
        // The file is in one of its two places. If the lock can't be acquired, the count stays too high.
        unlink(draft.path)
        unlink(bodyPath(name, entry.id))
        if isDone == false { _ = locked { $0.add(-draft.written) } }
        return false
    }

    /// Changes the heads under a key, and removes the bodies of removed entries; false if nothing was changed. The
    /// lock must be held.
    ///
    /// - Parameter first: Runs once there is room for the new heads, and before they're written.
    @discardableResult
    func change(
        _ key: CacheKey, _ name: String, _ count: inout Count, _ body: (inout [CacheEntry]) -> Void,
        first: () -> Bool = { true }
    ) -> Bool {
        // For a moment there are two files: the old one and its successor.
        guard let planned = changed(head(of: key, name).entries, key, body).file,
            reserve(Int64(planned.count), &count)
        else { return false }
        let reserved = Int64(planned.count)
        // Making room may have removed entries.
        let head = head(of: key, name)
        let (entries, changed) = changed(head.entries, key, body)
        guard let file = changed, first() else {
            count.add(-reserved)
            return false
        }
        if entries.isEmpty {
            unlink(headPath(name))
            count.add(-reserved - head.length)
        } else {
            let path = draftPath()
            guard let draft = DiskCacheFile.create(path), draft.lock(), draft.write(file, at: 0),
                rename(path, headPath(name)) == 0
            else {
                unlink(path)
                count.add(-reserved)
                return false
            }
            count.add(Int64(file.count) - reserved - head.length)
        }
        let kept = Set(entries.map(\.id))
        for gone in head.entries where !kept.contains(gone.id) {
            removeBody(name, gone.id, &count)
        }
        return true
    }

    /// Removes a body's file; only the file itself has its length.
    private func removeBody(_ name: String, _ id: CacheEntry.ID, _ count: inout Count) {
        let path = bodyPath(name, id)
        let length = DiskCacheFile.open(path)?.status?.length ?? 0
        if unlink(path) == 0 { count.add(-length) }
    }

    private func changed(
        _ entries: [CacheEntry], _ key: CacheKey, _ body: (inout [CacheEntry]) -> Void
    ) -> (entries: [CacheEntry], file: Bytes?) {
        var entries = entries
        body(&entries)
        return (entries, encoded(entries, key))
    }

    /// Removes an unreadable head, with every body of its key.
    func removeDamaged(_ key: CacheKey) {
        let name = Self.name(key)
        _ = locked { count in
            guard case .damaged = head(of: key, name) else { return }
            unlink(headPath(name))
            // The length of a damaged file isn't trustworthy: the sweep recomputes the count, and removes the bodies.
            sweep(&count, making: 0)
        }
    }
}
