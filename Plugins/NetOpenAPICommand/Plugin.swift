import Foundation
import PackagePlugin

/// `swift package generate-openapi`: runs the generator with the given arguments in the package's directory.
@main
struct NetOpenAPICommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let process = Process()
        process.executableURL = try context.tool(named: "net-openapi-generate").url
        process.currentDirectoryURL = context.package.directoryURL
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            Diagnostics.error("net-openapi-generate failed with exit code \(process.terminationStatus)")
            return
        }
    }
}
