/// `multipart FILE [RESULTS]`: writes and parses every case; parses it in one piece, byte by byte and cut at every
/// position.
struct MultipartSet: CaseSet {
    /// Parts to bytes, and bytes to parts.
    private struct File: Decodable {
        let boundary: String
        let write: [MultipartWriteCase]
        let read: [MultipartReadCase]
    }

    let name = "multipart"

    func run(_ arguments: [String]) async {
        guard let path = arguments.first else { stop(name, "no file given") }
        let file: File = read(path)
        var results = file.write.map { each in
            CaseResult(id: "write/\(each.id)", problem: each.problem(boundary: file.boundary))
        }
        for each in file.read {
            results.append(CaseResult(id: "read/\(each.id)", problem: await each.problem(boundary: file.boundary)))
        }
        finish(name, results, output: arguments.dropFirst().first)
    }
}
