package import NetCore

/// An error for a file of recorded exchanges that can't be read or written: the place, the problem, and advice.
package struct RecordFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    package var file: String
    /// Line and column, counted from 1; nil if the problem concerns the whole file.
    package var position: JSONNode.Position?
    /// The place in the document, such as `exchanges[3].request.url`; empty for the whole document.
    package var place: String
    /// The problem.
    package var problem: String
    /// Advice for the person reading the message.
    package var advice: String

    package init(
        file: String, position: JSONNode.Position? = nil, place: String = "", problem: String, advice: String
    ) {
        self.file = file
        self.position = position
        self.place = place
        self.problem = problem
        self.advice = advice
    }

    /// - Parameter bytes: The file's content.
    package init(file: String, _ error: UnreadableJSON, in bytes: [UInt8], advice: String) {
        let isCut = error.reason == .malformed && error.byteOffset >= bytes.count
        self.init(
            file: file, position: JSONNode.Position(of: error.byteOffset, in: bytes), place: error.place,
            problem: isCut ? "the file ends in the middle of it" : error.problem, advice: advice)
    }

    package var description: String {
        let spot = position.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(file)\(spot): \(place.isEmpty ? "" : place + ": ")\(problem); \(advice)"
    }
}
