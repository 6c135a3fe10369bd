import Foundation

/// `uri-template RESULTS FILE…`: expands every template of the files. RESULTS may be empty.
struct TemplateSet: CaseSet {
    let name = "uri-template"

    func run(_ arguments: [String]) {
        guard arguments.count > 1 else { stop(name, "no file given") }
        let results = arguments.dropFirst().flatMap { path in
            let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            return read(path) { (groups: [String: TemplateGroup]) in
                try groups.sorted { $0.key < $1.key }.flatMap { name, group in
                    try group.results(in: "\(file)/\(name)")
                }
            }
        }
        finish(name, results, output: arguments[0])
    }
}
