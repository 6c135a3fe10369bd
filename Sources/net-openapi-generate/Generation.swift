import NetOpenAPI

/// One run: loads the document, resolves its references, generates code, then writes or compares it.
struct Generation {
    let document: String
    let folder: OutputFolder
    let configuration: GeneratorConfiguration
    let referenceFolder: String?
    /// True if a warning counts as an error.
    let isStrict: Bool
    /// The path of a JSON report with counts of found and generated items; nil for no report.
    let report: String?

    /// Runs the generator and prints its result.
    ///
    /// - Returns: True if there was no error, and if in a check no file differs.
    func run(isCheck: Bool) -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        do throws(Diagnostic) {
            guard let result = try generate() else { return false }
            if let report { try Self.write(result.statistics, to: report) }
            if isCheck { return try compare(result) }
            if folder.path == "-" {
                for file in result.files { Console.print(file.contents) }
                return true
            }
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

    /// Prints the names of the files that would be written.
    func listOutputs() -> Bool {
        if let names = configuration.outputFileNames(forDocument: document) {
            for name in names { Console.print(name) }
            return true
        }
        do throws(Diagnostic) {
            guard let result = try generate() else { return false }
            for file in result.files { Console.print(file.name) }
            return true
        } catch {
            Console.printError(error.description)
            return false
        }
    }

    /// Returns the files; nil after an error, which has already been printed.
    private func generate() throws(Diagnostic) -> GeneratorResult? {
        let loaded = try Self.load(document, referenceFolder)
        guard report(loaded.diagnostics) else { return nil }
        let told = Set(loaded.diagnostics)
        let result = Generator(configuration: configuration).generate(document: loaded)
        // The generator repeats the document's diagnostics.
        guard report(result.diagnostics.filter { !told.contains($0) }) else { return nil }
        return result
    }

    /// Reads the document, from standard input for `-`.
    static func load(_ document: String, _ referenceFolder: String?) throws(Diagnostic) -> Document {
        guard document == "-" else { return try loader(document, referenceFolder).load(path: document) }
        return try DocumentLoader().load(bytes: Console.readAll(), name: "stdin")
    }

    /// Returns a loader that can read the files in the document's folder and in its parent, or in the given folder.
    static func loader(_ document: String, _ referenceFolder: String?) -> DocumentLoader {
        DocumentLoader(referenceFolder: referenceFolder ?? FolderAbove.of(document))
    }

    private static func write(_ statistics: GeneratorStatistics, to path: String) throws(Diagnostic) {
        let text = """
            {"operations": {"found": \(statistics.operationsFound), "skipped": \(statistics.operationsSkipped)}, \
            "schemas": {"found": \(statistics.schemasFound), "skipped": \(statistics.schemasSkipped), \
            "nodes": \(statistics.schemaNodes), "freeForm": \(statistics.freeFormNodes)}, \
            "lines": \(statistics.lines)}

            """
        try OutputFolder.write(text, to: path)
    }

    /// Prints diagnostics, each once.
    ///
    /// - Returns: True if none of them counts as an error.
    private func report(_ diagnostics: [Diagnostic]) -> Bool {
        var told: Set<Diagnostic> = []
        for diagnostic in diagnostics where told.insert(diagnostic).inserted {
            Console.printError(diagnostic.description)
        }
        let count = told.count { $0.severity == .error || isStrict && $0.severity == .warning }
        guard count > 0 else { return true }
        Console.printError(
            "\(document): \(Self.count(count, isStrict ? "error or warning" : "error")), nothing was written")
        return false
    }

    private func compare(_ result: GeneratorResult) throws(Diagnostic) -> Bool {
        let different = try folder.differences(from: result.files)
        for name in different {
            Console.printError("\(folder.path(of: name)): error: the file differs from what the document generates now")
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
