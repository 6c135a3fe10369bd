internal import NetHTTP

/// Sends one GET to the given URL and prints the response; links nothing else.
@main
struct Program {
    static func main() async throws {
        let request = Request<String>(url: CommandLine.arguments[1], serializer: .string)
        print(try await HTTPClient(configuration: .init()).send(request))
    }
}
