/// Why a file of recorded exchanges cannot be read or written: where, what, and what to do.
package struct RecordFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    package var file: String
    /// Line and column, counted from 1; nil where the file as a whole is meant.
    package var position: JSONNode.Position?
    /// The place in the document, such as `exchanges[3].request.url`; empty for the whole.
    package var place: String
    /// What is wrong.
    package var problem: String
    /// What to do about it.
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

    package var description: String {
        let spot = position.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(file)\(spot): \(place.isEmpty ? "" : place + ": ")\(problem); \(advice)"
    }
}
