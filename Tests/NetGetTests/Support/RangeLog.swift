#if Tools && os(Linux)
import Foundation
import NetCore

/// The requests for files in nginx's log: the run of the program, the path and the `Range`.
struct RangeLog {
    /// The format of its lines, for the block `http`.
    static let format = "log_format runs '$http_x_run|$uri|$status|$http_range';"

    /// A request.
    struct Entry: Equatable {
        let run: Int
        let path: String
        let status: Int
        /// nil for a request without `Range`.
        let range: RequestedRange?
    }

    let entries: [Entry]

    init(_ text: String) {
        entries = text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 4, let run = Int(parts[0]), let status = Int(parts[2]) else { return nil }
            return Entry(run: run, path: parts[1], status: status, range: RequestedRange(parts[3]))
        }
    }

    /// Returns the ranges of a file that a run requested.
    func asked(in run: Int, _ path: String, length: Int64) -> [Range<Int64>] {
        entries.filter { $0.run == run && $0.path == path }.compactMap { entry in
            guard let range = entry.range else { return 0..<length }
            return range.resolved(total: length)
        }
    }
}

/// The blocks of a file that are already correct in its part file.
struct PresentBlocks {
    static let size = 64 << 10
    private let blocks: [Int]

    init(of part: Data, in whole: Data) {
        blocks = stride(from: 0, to: min(part.count, whole.count), by: Self.size).filter { start in
            let end = min(start + Self.size, whole.count)
            guard end <= part.count else { return false }
            return part[start..<end] == whole[start..<end]
        }
    }

    /// Returns the number of their bytes that are in any of the ranges.
    func bytes(in ranges: [Range<Int64>]) -> Int64 {
        let hit = blocks.filter { start in
            let block = Int64(start)..<Int64(start + Self.size)
            return ranges.contains { $0.lowerBound <= block.lowerBound && $0.upperBound >= block.upperBound }
        }
        return Int64(hit.count * Self.size)
    }
}
#endif
