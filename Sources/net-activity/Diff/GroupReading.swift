#if Tools
internal import NetStore

/// Reads the entries of one group of calls.
struct GroupReading {
    let file: String
    let filter: ActivityFilter
    let limit: Int

    /// Calls the closure with each entry, newest first.
    func read(_ body: (StoredItem) -> Void) async throws {
        try await StoreArguments.read(file) { reader in
            var (last, rest) = (nil as Int64?, limit)
            while rest > 0 {
                let page = try await reader.items(matching: filter, limit: min(rest, 500), before: last)
                guard let end = page.last else { break }
                (last, rest) = (end.id, rest - page.count)
                for item in page { body(item) }
            }
        }
    }
}
#endif
