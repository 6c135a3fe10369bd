import ConformanceSupport
import Foundation
import NetCore

// conformance-fields RESULTS FILE…: parses and writes the structured fields of the files. RESULTS may be empty.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count > 1 else { stop("fields", "no file given") }
var results: [CaseResult] = []
for path in arguments.dropFirst() {
    do {
        let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        let file = URL(fileURLWithPath: path).deletingPathExtension()
        let isWriting = file.deletingLastPathComponent().lastPathComponent == "serialisation-tests"
        let name = (isWriting ? "write/" : "") + file.lastPathComponent
        for one in cases { results.append(CaseResult(id: "\(name)/\(one.name)", problem: try one.problem())) }
    } catch {
        stop("fields", "\(path) has another form: \(error)")
    }
}
finish("fields", results, output: arguments[0])
