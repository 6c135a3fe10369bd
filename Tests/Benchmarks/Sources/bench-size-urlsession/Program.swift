internal import Foundation
internal import FoundationNetworking

/// Sends one GET to the given URL and prints the response; links nothing else.
@main
struct Program {
    static func main() async throws {
        guard let url = URL(string: CommandLine.arguments[1]) else { return }
        let (data, _) = try await URLSession.shared.data(from: url)
        print(String(decoding: data, as: UTF8.self))
    }
}
