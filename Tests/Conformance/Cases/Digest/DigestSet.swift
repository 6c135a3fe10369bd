import Foundation

/// `digest FOLDER [RESULTS]`: computes the responses of vectors.json, and parses the headers of challenges.json.
struct DigestSet: CaseSet {
    let name = "digest"

    func run(_ arguments: [String]) {
        guard let folder = arguments.first else { stop(name, "no folder given") }
        let responses = cases("vectors.json", in: folder).map { (each: DigestResponseCase) in
            do {
                return CaseResult(id: "response/\(each.id)", problem: try each.problem())
            } catch {
                return CaseResult(id: "response/\(each.id)", problem: "threw \(error)")
            }
        }
        let challenges = cases("challenges.json", in: folder).map { (each: DigestChallengeCase) in
            CaseResult(id: "challenge/\(each.id)", problem: each.problem())
        }
        finish(name, responses + challenges, output: arguments.dropFirst().first)
    }

    /// Returns the cases of a file, or none if the file doesn't exist.
    private func cases<Case: Decodable>(_ name: String, in folder: String) -> [Case] {
        let path = URL(fileURLWithPath: folder).appendingPathComponent(name).path
        return FileManager.default.fileExists(atPath: path) ? read(path) : []
    }
}
