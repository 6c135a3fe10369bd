#if Tools
import Foundation
import NetOpenAPI
import Testing

/// Generated code compiles with any default isolation of its target.
@Suite(.serialized) struct IsolationTests {
    private static let mainActor = ["-default-isolation", "MainActor"]
    private static let features = [
        [], ["InferIsolatedConformances", "NonisolatedNonsendingByDefault"],
        ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "InferIsolatedConformances"],
    ].map { names in names.flatMap { ["-enable-upcoming-feature", $0] } }

    /// Documents with objects, unions, streams, forms, failures, response headers, servers and security.
    private static let documents: [String] = {
        let fixtures = SharedData.packageFolder.appending(path: "Fixtures/openapi")
        let wanted = ["museum-31", "parameters-style", "apple-event-streams", "discriminators", "drf-recursion"]
        return ["harbour-books.yaml", "post-office.yaml", "parcel-depot.yaml"].map { fixtures.appending(path: $0).path }
            + SharedData.corpus.filter { wanted.contains($0.id) }.map(\.path)
    }()

    @Test(arguments: documents) func aTargetOfTheMainActorCompilesIt(document: String) async throws {
        let folder = try TemporaryFolder()
        let files = try generate(document, into: folder.path, access: .public)
        try await expectCompiles(files, Self.features + Self.features.map { Self.mainActor + $0 })
    }

    /// The code of an app on the main actor that uses it.
    @Test func theMainActorSendsRequestsAndDecodesModels() async throws {
        let folder = try TemporaryFolder()
        let document = SharedData.packageFolder.appending(path: "Fixtures/openapi/post-office.yaml").path
        let app = folder.path + "/App.swift"
        try """
        import NetCore

        struct Screen {
            let client: any APIClient
            var town = AddAddressRequest.Body(town: "Köln")

            func send() async throws -> String {
                let api = PostOfficeClient(client)
                var request = UploadLetterRequest(payload: "a")
                request.server = UploadLetterRequest.Servers.europe
                return try await api.uploadLetter(request) + api.addAddress(.init(payload: town))
            }

            nonisolated func same() -> Bool { AddAddressRequest.Body(town: "a") == AddAddressRequest.Body(town: "b") }
        }
        """.write(toFile: app, atomically: true, encoding: .utf8)
        let files = try generate(document, into: folder.path, access: .internal) + [app]
        try await expectCompiles(files, Self.features.dropLast().map { Self.mainActor + $0 })
    }

    /// A long object, which is decoded in another way, with a member that is stored outside of it.
    @Test func aLongObjectThatHoldsItselfCompiles() async throws {
        let members = (0..<30).map { "p\($0): {type: string}" }.joined(separator: ", ")
        let text = """
            openapi: 3.1.0
            info: {title: T, version: '1'}
            components: {schemas: {Long: {type: object, required: [p1], properties: {in: {$ref: '#/components/schemas/Long'}, \(members)}}}}
            """
        let folder = try TemporaryFolder()
        let document = folder.path + "/long.yaml"
        try text.write(toFile: document, atomically: true, encoding: .utf8)
        let files = try generate(document, into: folder.path, access: .public)
        try await expectCompiles(files, [[], Self.mainActor])
    }

    private func generate(
        _ document: String, into folder: String, access: GeneratorConfiguration.AccessLevel
    ) throws -> [String] {
        let document = try DocumentLoader().load(path: document)
        let configuration = GeneratorConfiguration(accessLevel: access)
        return try Generator(configuration: configuration).generate(document: document).files.map { file in
            let path = "\(folder)/\(file.name)"
            try file.contents.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
    }

    /// Runs the compiler up to the checks for data races, once with each list of flags; as many run concurrently as there are
    /// cores.
    private func expectCompiles(_ files: [String], _ variants: [[String]]) async throws {
        let modules = CommandRunner.buildFolder.appending(path: "Modules").path
        // SIL in binary form: the compiler would need longer to print it.
        let command =
            ["swiftc", "-emit-sib", "-o", "/dev/null", "-wmo", "-swift-version", "6", "-warnings-as-errors"]
            + ["-parse-as-library", "-module-name", "Generated", "-I", modules] + files
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, flags) in variants.enumerated() {
                if number >= ProcessInfo.processInfo.activeProcessorCount { try await group.next() }
                group.addTask {
                    let env = URL(filePath: "/usr/bin/env")
                    let outcome = try await CommandRunner.runAside(executable: env, command + flags)
                    #expect(outcome.exitCode == 0, "\(flags): \(outcome.errors.prefix(2000))")
                }
            }
            try await group.waitForAll()
        }
    }
}
#endif
