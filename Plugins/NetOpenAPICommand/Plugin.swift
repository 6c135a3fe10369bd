import PackagePlugin

@main
struct NetOpenAPICommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {}
}
