import ConformanceSupport
import Foundation
import NetCore

// conformance-sse FILE [RESULTS]: parses every case whole, byte by byte and cut at every position.

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first, let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
    stop("sse", "cannot read \(arguments.first ?? "(no file given)")")
}

let file: CaseFile
do {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    file = try decoder.decode(CaseFile.self, from: data)
} catch {
    stop("sse", "\(path) has another form: \(error)")
}
let results = file.cases.map { CaseResult(id: $0.id, problem: $0.problem()) }
finish("sse", results, output: arguments.dropFirst().first)
