import Foundation

/// `sse FILE [RESULTS]`: parses every event stream in one piece, byte by byte and cut at every position.
struct EventStreamSet: CaseSet {
    /// Inputs in base64, with their expected results.
    private struct File: Decodable {
        let cases: [EventStreamCase]
    }

    let name = "sse"

    func run(_ arguments: [String]) {
        guard let path = arguments.first, let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            stop(name, "cannot read \(arguments.first ?? "(no file given)")")
        }
        let file: File
        do {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            file = try decoder.decode(File.self, from: data)
        } catch {
            stop(name, "\(path) has another form: \(error)")
        }
        let results = file.cases.map { CaseResult(id: $0.id, problem: $0.problem()) }
        finish(name, results, output: arguments.dropFirst().first)
    }
}
