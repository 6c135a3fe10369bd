import ConformanceSupport
import Foundation
import NetCore

// conformance-uri-template RESULTS FILE…: expands every template of the files. RESULTS may be empty.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count > 1 else { stop("uri-template", "no file given") }
var results: [CaseResult] = []
for path in arguments.dropFirst() {
    do {
        let groups = try JSONDecoder().decode([String: Group].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        for (name, group) in groups.sorted(by: { $0.key < $1.key }) {
            results += try group.results(in: "\(file)/\(name)")
        }
    } catch {
        stop("uri-template", "\(path) has another form: \(error)")
    }
}
finish("uri-template", results, output: arguments[0])
