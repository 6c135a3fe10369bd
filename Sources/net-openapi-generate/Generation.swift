#if Tools
import NetOpenAPI

/// One run: load, look the references up, generate, then write or compare.
struct Generation {
    let document: String
    let folder: OutputFolder
    let configuration: GeneratorConfiguration
    let referenceFolder: String?
    let isLenient: Bool

    /// Runs and reports.
    ///
    /// - Returns: Whether it ended well: no error, and in a check no file that differs.
    func run(isCheck: Bool) -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        do throws(Diagnostic) {
            guard let result = try generate() else { return false }
            if isCheck { return try compare(result) }
            let written = try folder.write(result.files)
            let duration = Self.seconds(clock.now - start)
            Console.print(
                """
                \(document): \(Self.count(result.operationCount, "operation")), \
                \(Self.count(result.modelCount, "model")), \(Self.count(result.files.count, "file")) \
                (\(written) written) in \(duration) s
                """)
            return true
        } catch {
            Console.printError(error.description)
            return false
        }
    }

    /// The files; nil after an error, which is then already told.
    private func generate() throws(Diagnostic) -> GeneratorResult? {
        let loader = DocumentLoader(referenceFolder: referenceFolder)
        let loaded = try loader.load(path: document)
        guard report(loaded.diagnostics) else { return nil }
        var told = Set(loaded.diagnostics)
        if !isLenient {
            let resolver = ReferenceResolver(document: loaded, loader: loader)
            let found = resolver.checkAll() + resolver.warnings
            guard report(found) else { return nil }
            told.formUnion(found)
        }
        let result = Generator(configuration: configuration).generate(document: loaded)
        // The generator repeats what the document and its references had to say.
        guard report(result.diagnostics.filter { !told.contains($0) }) else { return nil }
        return result
    }

    /// Prints diagnostics, each once.
    ///
    /// - Returns: Whether none of them is an error.
    private func report(_ diagnostics: [Diagnostic]) -> Bool {
        var told: Set<Diagnostic> = []
        for diagnostic in diagnostics where told.insert(diagnostic).inserted {
            Console.printError(diagnostic.description)
        }
        let count = told.count { $0.severity == .error }
        guard count > 0 else { return true }
        Console.printError("\(document): \(Self.count(count, "error")), nothing was written")
        return false
    }

    private func compare(_ result: GeneratorResult) throws(Diagnostic) -> Bool {
        let different = try folder.differences(from: result.files)
        for name in different {
            Console.printError("\(folder.path(of: name)): error: the file is not what the document generates now")
        }
        guard different.isEmpty else {
            Console.printError("\(document): \(different.count) of \(result.files.count) files differ; generate again")
            return false
        }
        Console.print("\(document): \(result.files.count) files are up to date")
        return true
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let hundredths = attoseconds / 10_000_000_000_000_000
        return "\(seconds).\(hundredths < 10 ? "0" : "")\(hundredths)"
    }
}
#endif
