#if Redis
/// Options of a command line, such as `--port 8080`.
struct Options: Sendable {
    private var values: [String: String] = [:]

    init(_ arguments: some Sequence<String>) {
        var name: String?
        for argument in arguments {
            if let known = name {
                values[known] = argument
                name = nil
            } else {
                name = String(argument.drop { $0 == "-" })
            }
        }
    }

    subscript(name: String) -> String? { values[name] }

    func number(_ name: String, _ fallback: Int) -> Int { values[name].flatMap { Int($0) } ?? fallback }

    func seconds(_ name: String, _ fallback: Double) -> Duration {
        .seconds(values[name].flatMap { Double($0) } ?? fallback)
    }
}
#endif
