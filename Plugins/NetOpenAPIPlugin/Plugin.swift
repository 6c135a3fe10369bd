import Foundation
import PackagePlugin

/// Generates Swift for every OpenAPI document of a target on each build.
///
/// The documents are the files that are named `openapi.yaml` or end with `.openapi.yaml`, also with the extension
/// `.yml` or `.json`.
@main
struct NetOpenAPIPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let files = target.sourceFiles.map(\.url)
        let documents = files.filter { OutputNames.isDocument($0.lastPathComponent) }
        guard !documents.isEmpty else { throw PluginError.noDocument(target: target.name) }
        if !target.recursiveTargetDependencies.contains(where: { $0.name == "NetOpenAPIRuntime" }) {
            Diagnostics.warning(
                "the target '\(target.name)' uses NetOpenAPIPlugin without the product NetOpenAPIRuntime, which generated code "
                    + "imports; add .product(name: \"NetOpenAPIRuntime\", package: \"swift-net\") to its dependencies")
        }
        let tool = try context.tool(named: "net-openapi-generate").url
        let output = context.pluginWorkDirectoryURL.appending(path: "GeneratedSources")

        var owners: [String: URL] = [:]
        return try documents.map { document in
            let configuration = configuration(of: document, among: files)
            let count =
                configuration.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
                .flatMap { OutputNames.chunkCount(inConfiguration: $0) } ?? OutputNames.chunkCount
            let names = OutputNames.outputs(forDocument: document.lastPathComponent, chunkCount: count)
            if let first = owners.updateValue(document, forKey: names[0]) {
                throw PluginError.sameName(first, document)
            }
            return .buildCommand(
                displayName: "Generating Swift from \(document.lastPathComponent)",
                executable: tool,
                arguments: [
                    document.path(percentEncoded: false), "--output", output.path(percentEncoded: false),
                    "--files", String(count),
                ] + (configuration.map { ["--config", $0.path(percentEncoded: false)] } ?? []),
                inputFiles: [document] + parts(of: document, among: files),
                outputFiles: names.map { output.appending(path: $0) })
        }
    }

    /// Returns the configuration file beside a document.
    private func configuration(of document: URL, among files: [URL]) -> URL? {
        let folder = document.deletingLastPathComponent()
        let names = OutputNames.configurations(forDocument: document.lastPathComponent)
        return files.first { $0.deletingLastPathComponent() == folder && names.contains($0.lastPathComponent) }
    }

    /// Returns the files beside and below a document. The document can refer to them, so a change to any of them
    /// regenerates the code.
    private func parts(of document: URL, among files: [URL]) -> [URL] {
        let folder = document.deletingLastPathComponent().path(percentEncoded: false)
        return files.filter {
            $0 != document && OutputNames.isPart($0.lastPathComponent)
                && $0.path(percentEncoded: false).hasPrefix(folder)
        }
    }
}

/// The reason why no command could be created.
enum PluginError: Error, CustomStringConvertible {
    case noDocument(target: String)
    case sameName(URL, URL)

    var description: String {
        switch self {
        case .noDocument(let target):
            """
            the target '\(target)' uses NetOpenAPIPlugin but holds no OpenAPI document; add a file named openapi.yaml, \
            openapi.yml or openapi.json, or one that ends in .openapi.yaml, and do not exclude it
            """
        case .sameName(let first, let second):
            """
            '\(first.path(percentEncoded: false))' and '\(second.path(percentEncoded: false))' would both become \
            files of the same names; give one of them another name, such as petstore.openapi.yaml
            """
        }
    }
}
