import Foundation

/// `fields RESULTS FILE…`: parses and writes the structured fields of the files. RESULTS may be empty.
struct FieldSet: CaseSet {
    let name = "fields"

    func run(_ arguments: [String]) {
        guard arguments.count > 1 else { stop(name, "no file given") }
        let results = arguments.dropFirst().flatMap { path in
            let file = URL(fileURLWithPath: path).deletingPathExtension()
            let isWriting = file.deletingLastPathComponent().lastPathComponent == "serialisation-tests"
            let prefix = (isWriting ? "write/" : "") + file.lastPathComponent
            return read(path) { (cases: [FieldCase]) in
                try cases.map { CaseResult(id: "\(prefix)/\($0.name)", problem: try $0.problem()) }
            }
        }
        finish(name, results, output: arguments[0])
    }
}
