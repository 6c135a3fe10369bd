import Foundation

/// A set of cases, and the library's code that they test.
protocol CaseSet {
    /// The program's first argument, and the name in reports.
    var name: String { get }

    /// Runs the cases with the arguments after the name.
    func run(_ arguments: [String]) async throws
}

extension CaseSet {
    /// Returns the decoded contents of a file; ends the program if the file has another form.
    func read<Cases: Decodable>(_ path: String) -> Cases {
        read(path) { $0 }
    }

    /// Returns the result of `body` for the decoded contents of a file; ends the program if the file has another form.
    func read<Cases: Decodable, Value>(_ path: String, _ body: (Cases) throws -> Value) -> Value {
        do {
            return try body(JSONDecoder().decode(Cases.self, from: Data(contentsOf: URL(fileURLWithPath: path))))
        } catch {
            stop(name, "\(path) has another form: \(error)")
        }
    }
}
