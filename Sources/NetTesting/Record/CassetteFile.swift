internal import NetCore
internal import NetRecord
internal import Synchronization

/// The file behind a replay. What others write to it in the meantime is kept.
struct CassetteFile {
    /// One writer at a time in this process: between reading the file and replacing it nobody else may write.
    private static let turn = Mutex(())

    let path: String
    private let original: [CapturedExchange]
    /// What others have written since it was opened.
    private var others: [CapturedExchange] = []
    /// What it held when we last looked.
    private var known: [CapturedExchange]

    init(path: String, content: [CapturedExchange]) {
        self.path = path
        original = content
        known = content
    }

    /// Writes our whole recording, after what the file held or instead of it; doing it twice writes the same.
    mutating func write(_ recorded: [CapturedExchange], isReplacing: Bool) throws(NetError) {
        let (path, kept, known) = (path, (isReplacing ? [] : original) + others, known)
        let result = Self.turn.withLock {
            _ -> Result<(others: [CapturedExchange], now: [CapturedExchange]), NetError> in
            do throws(RecordFileError) {
                // A file that is broken by now is reported by `write`, which leaves it alone.
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

    /// What is in the one list and not in the other, each as often as it is there.
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
