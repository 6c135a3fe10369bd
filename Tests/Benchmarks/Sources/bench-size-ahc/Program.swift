internal import AsyncHTTPClient
internal import NIOCore

/// Sends one GET to the given URL and prints the response; links nothing else.
@main
struct Program {
    static func main() async throws {
        let request = HTTPClientRequest(url: CommandLine.arguments[1])
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        print(String(buffer: try await response.body.collect(upTo: 1 << 20)))
    }
}
