#if Tools
internal import Foundation
internal import NetCore
internal import NetHTTP

/// A file to load, as the command line or a line of the input file names it.
struct Source: Sendable, Equatable {
    var url: String
    var name: String?
    var checksum: DownloadChecksum?
    var mirrors: [String] = []
    var priority = RequestPriority.normal

    init(url: String) { self.url = url }

    /// What is wrong with a line of the input file.
    struct Mistake: Error, CustomStringConvertible, Equatable {
        let line: Int
        let reason: String

        var description: String { "line \(line): \(reason)" }
    }

    /// Reads an input file: a URL on each line, and after it what belongs to it, separated by blanks, or by tabs where a line
    /// has any: `name=`, `mirror=` (any number), `checksum=` or `sha-256=`, `priority=`. Lines that are empty or begin with `#`
    /// say nothing.
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

    /// Takes a word after a URL; returns why it can't be taken.
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
    /// A priority by its name.
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
