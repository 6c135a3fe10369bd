import ConformanceSupport
import Foundation

// conformance-digest FOLDER [RESULTS]: computes the responses of vectors.json, and parses the headers of
// challenges.json.

let arguments = Array(CommandLine.arguments.dropFirst())
guard let folder = arguments.first else { stop("digest", "no folder given") }

func cases<Case: Decodable>(_ name: String) -> [Case] {
    let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    do {
        return try JSONDecoder().decode([Case].self, from: Data(contentsOf: url))
    } catch {
        stop("digest", "\(url.path) has another form: \(error)")
    }
}

var results: [CaseResult] = []
for vector in cases("vectors.json") as [Vector] {
    do {
        results.append(CaseResult(id: "response/\(vector.id)", problem: try vector.problem()))
    } catch {
        results.append(CaseResult(id: "response/\(vector.id)", problem: "threw \(error)"))
    }
}
for one in cases("challenges.json") as [FieldCase] {
    results.append(CaseResult(id: "challenge/\(one.id)", problem: one.problem()))
}
finish("digest", results, output: arguments.dropFirst().first)
