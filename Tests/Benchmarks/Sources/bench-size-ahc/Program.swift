internal import AsyncHTTPClient
internal import NIOCore

/// One GET of the URL that is given, its answer printed: nothing else is linked.
@main
struct Program {
    static func main() async throws {
        let request = HTTPClientRequest(url: CommandLine.arguments[1])
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        print(String(buffer: try await response.body.collect(upTo: 1 << 20)))
    }
}
