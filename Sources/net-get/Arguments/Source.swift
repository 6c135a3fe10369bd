#if Tools
internal import Foundation
internal import NetCore
internal import NetHTTP

/// A file to load, named on the command line or in a line of the input file.
struct Source: Sendable, Equatable {
    var url: String
    var name: String?
    var checksum: DownloadChecksum?
    var mirrors: [String] = []
    var priority = RequestPriority.normal

    init(url: String) { self.url = url }

    /// An error in a line of the input file.
    struct Mistake: Error, CustomStringConvertible, Equatable {
        let line: Int
        let reason: String

        var description: String { "line \(line): \(reason)" }
    }

    /// Parses an input file. Each line has a URL, followed by its options, separated by blanks, or by tabs if the line
    /// contains any: `name=`, `mirror=` (any number), `checksum=` or `sha-256=`, `priority=`. Empty lines and lines
    /// that begin with `#` are ignored.
    static func list(of text: String) throws(Mistake) -> [Source] {
        var sources: [Source] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let hasTabs = line.contains("\t")
            let words = line.split { hasTabs ? $0 == "\t" : $0 == " " }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            var source = Source(url: String(first))
            for word in words.dropFirst() {
                if let reason = source.add(String(word)) { throw Mistake(line: index + 1, reason: reason) }
            }
            sources.append(source)
        }
        return sources
    }

    /// Parses a word after a URL; returns the reason if it's invalid.
    private mutating func add(_ word: String) -> String? {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            return "\"\(TerminalText.clean(word))\" isn't name=, mirror=, checksum= or priority="
        }
        switch parts[0] {
        case "name": name = parts[1]
        case "mirror": mirrors.append(parts[1])
        case "priority":
            guard let value = RequestPriority(word: parts[1]) else {
                return "\"\(TerminalText.clean(parts[1]))\" isn't low, normal, high or critical"
            }
            priority = value
        case "checksum", "sha-256", "sha-512", "sha256", "sha512":
            guard let value = DownloadChecksum(parts[0] == "checksum" ? parts[1] : word) else {
                return "\"\(TerminalText.clean(word))\" isn't a checksum such as sha-256=2cf24dba…"
            }
            checksum = value
        default: return "\"\(TerminalText.clean(parts[0]))=\" isn't name=, mirror=, checksum= or priority="
        }
        return nil
    }
}

extension RequestPriority {
    /// Creates a priority from its name.
    init?(word: String) {
        switch word {
        case "low": self = .low
        case "normal": self = .normal
        case "high": self = .high
        case "critical": self = .critical
        default: return nil
        }
    }
}
#endif
