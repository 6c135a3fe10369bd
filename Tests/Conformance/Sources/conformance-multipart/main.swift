import ConformanceSupport
import Foundation
import NetCore

// conformance-multipart FILE [RESULTS]: writes and parses every case; parses it whole, byte by byte and cut at every
// position.

let arguments = Array(CommandLine.arguments.dropFirst())
guard let path = arguments.first else { stop("multipart", "no file given") }
let file: CaseFile
do {
    file = try JSONDecoder().decode(CaseFile.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
} catch {
    stop("multipart", "\(path) has another form: \(error)")
}
let written = file.write.map { CaseResult(id: "write/\($0.id)", problem: $0.problem(boundary: file.boundary)) }
var read: [CaseResult] = []
for each in file.read {
    read.append(CaseResult(id: "read/\(each.id)", problem: await each.problem(boundary: file.boundary)))
}
finish("multipart", written + read, output: arguments.dropFirst().first)
