import Foundation

// conformance-cases SET ARGUMENT…: runs a set of cases; each set documents its arguments.

let sets: [any CaseSet] = [
    DigestSet(), FieldSet(), CacheSet(), MultipartSet(), EventStreamSet(), TraceContextSet(), TemplateSet(),
]
let arguments = Array(CommandLine.arguments.dropFirst())
guard let set = sets.first(where: { $0.name == arguments.first }) else {
    let problem = arguments.first.map { "there is no set \"\($0)\"" } ?? "no set given"
    let names = sets.map(\.name).joined(separator: ", ")
    FileHandle.standardError.write(Data("conformance-cases: \(problem); the sets are \(names)\n".utf8))
    exit(2)
}
try await set.run(Array(arguments.dropFirst()))
