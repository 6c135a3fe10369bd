import Foundation

/// `http-cache`: a client with a private cache in memory that is controlled over stdin and stdout, one JSON object per
/// line (line protocol 1 of the runner).
struct CacheSet: CaseSet {
    let name = "http-cache"

    func run(_ arguments: [String]) async throws {
        let client = CacheClient()
        while let line = readLine() {
            guard let command = try? JSONDecoder().decode(CacheCommand.self, from: Data(line.utf8)) else {
                FileHandle.standardError.write(Data("conformance \(name): a line isn't a command\n".utf8))
                continue
            }
            var object = await client.reply(to: command)
            object["id"] = command.id
            let data = try JSONSerialization.data(withJSONObject: object)
            FileHandle.standardOutput.write(data + Data("\n".utf8))
        }
    }
}
