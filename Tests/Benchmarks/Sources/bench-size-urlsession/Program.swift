internal import Foundation
internal import FoundationNetworking

/// One GET of the URL that is given, its answer printed: nothing else is linked.
@main
struct Program {
    static func main() async throws {
        guard let url = URL(string: CommandLine.arguments[1]) else { return }
        let (data, _) = try await URLSession.shared.data(from: url)
        print(String(decoding: data, as: UTF8.self))
    }
}
