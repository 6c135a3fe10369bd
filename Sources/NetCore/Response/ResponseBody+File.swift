extension ResponseBody {
    /// Reads the body to its end into a file and returns the number of bytes. Only a few chunks are in memory.
    ///
    /// The file appears, or replaces an existing one, only when it's complete; if the transfer fails or is cancelled,
    /// an existing file stays unchanged. Throws `.file` if the file can't be written, which cancels the transfer, and
    /// rethrows errors of the body. Writing runs on a thread for file work.
    ///
    ///     let film = try await client.stream("film.mp4")
    ///     try await film.body.write(to: "/tmp/film.mp4")
    ///
    /// - Parameter file: The path of the file, in a folder that exists.
    @discardableResult
    public func write(to file: some FilePathConvertible) async throws(NetError) -> Int64 {
        let path = file.filePath
        do throws(NetError) {
            let draft = try await FileThreads.shared.run { () throws(NetError) in try FileDraft(of: path) }
            do throws(NetError) {
                var count: Int64 = 0
                for try await chunk in self {
                    count += Int64(chunk.count)
                    try await FileThreads.shared.run { () throws(NetError) in try draft.append(chunk) }
                }
                try await FileThreads.shared.run { () throws(NetError) in try draft.commit() }
                return count
            } catch {
                // Fails only if no thread is available; the original error is the one to report.
                try? await FileThreads.shared.run { () throws(NetError) in draft.discard() }
                throw error
            }
        } catch {
            cancel()
            throw filled(error)
        }
    }
}
