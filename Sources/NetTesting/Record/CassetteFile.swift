internal import NetCore
internal import NetRecord
internal import Synchronization

/// The file of a replay. Preserves the changes that others make to it in the meantime.
struct CassetteFile {
    /// Allows one writer at a time in this process: no other may write between reading the file and replacing it.
    private static let turn = Mutex(())

    let path: String
    private let original: [CapturedExchange]
    /// The exchanges that others have written since the file was opened.
    private var others: [CapturedExchange] = []
    /// The content of the file when it was last read.
    private var known: [CapturedExchange]

    init(path: String, content: [CapturedExchange]) {
        self.path = path
        original = content
        known = content
    }

    /// Writes the complete recording, after the file's content or instead of it; writing twice has the same result.
    mutating func write(_ recorded: [CapturedExchange], isReplacing: Bool) throws(NetError) {
        let (path, kept, known) = (path, (isReplacing ? [] : original) + others, known)
        let result = Self.turn.withLock {
            _ -> Result<(others: [CapturedExchange], now: [CapturedExchange]), NetError> in
            do throws(RecordFileError) {
                // If the file has become invalid, `write` reports it and leaves the file unchanged.
                let found = (try? Cassette.read(from: path).exchanges) ?? known
                let others = Self.difference(found, known)
                try Cassette(kept + others + recorded).write(to: path)
                return .success((others, try Cassette.read(from: path).exchanges))
            } catch {
                return .failure(NetError(error))
            }
        }
        let written = try result.get()
        others += written.others
        self.known = written.now
    }

    /// The elements of one list that aren't in the other, counting duplicates.
    private static func difference(_ left: [CapturedExchange], _ right: [CapturedExchange]) -> [CapturedExchange] {
        var counts: [CapturedExchange: Int] = [:]
        for exchange in right { counts[exchange, default: 0] += 1 }
        return left.filter { exchange in
            guard let count = counts[exchange], count > 0 else { return true }
            counts[exchange] = count - 1
            return false
        }
    }
}
