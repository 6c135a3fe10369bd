#if Tools
internal import Foundation
internal import NetCore
internal import NetRecord
internal import NetStore

/// The parts of a HAR file that were skipped or guessed: their numbers, and the first places.
struct RemarksText {
    /// The maximum number of places.
    private static let maximumPlaces = 10

    private let skippedEntries, skippedParts, guesses: Int
    private let places: [String]

    init(_ added: HARImport) {
        (skippedEntries, skippedParts, guesses) = (added.skippedEntries, added.skippedParts, added.guesses)
        places = added.remarks.prefix(Self.maximumPlaces).map(\.description)
    }

    init(_ remarks: HARRemarks) {
        skippedEntries = remarks.count(.skippedEntry)
        (skippedParts, guesses) = (remarks.count(.skipped), remarks.count(.guessed))
        places = remarks.kept.prefix(Self.maximumPlaces).map { "line \($0.line), \($0.place): \($0.reason)" }
    }

    /// The text; empty if there is nothing to say.
    var text: String {
        let numbers = [
            (skippedEntries, "entries were skipped"), (skippedParts, "parts of entries were skipped"),
            (guesses, "values were guessed"),
        ]
        let counts = numbers.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard !counts.isEmpty else { return "" }
        let lines = places.map { "  \(TerminalText.clean($0))\n" }.joined()
        let rest = skippedEntries + skippedParts + guesses - places.count
        return "\(counts.joined(separator: ", ")):\n\(lines)" + (rest > 0 ? "  and \(rest) more\n" : "")
    }

    /// Prints the text to standard error.
    func show() { FileHandle.standardError.write(Data(text.utf8)) }
}
#endif
