internal import NetHTTP

/// One GET of the URL that is given, its answer printed: nothing else is linked.
@main
struct Program {
    static func main() async throws {
        let request = Request<String>(url: CommandLine.arguments[1], serializer: .string)
        print(try await HTTPClient(configuration: .init()).send(request))
    }
}
