import ConformanceSupport
import Hummingbird
import Logging
import ServiceLifecycle

// mounted [FILE]: serves WebSockets in a Hummingbird application, and calls it. FILE is for the results as JSON.

let server = Chat.server()
let (ports, port) = AsyncStream.makeStream(of: Int.self)
var logger = Logger(label: "mounted")
logger.logLevel = .warning
let application = Chat.application(server, logger: logger) { port.yield($0) }
let group = ServiceGroup(services: [application], logger: logger)
let serving = Task { try await group.run() }

guard let number = await ports.first(where: { _ in true }) else { stop("mounted", "the application doesn't listen") }
let results = await Cases(port: number).run { Task { await group.triggerGracefulShutdown() } }
do { try await serving.value } catch { stop("mounted", "the application has ended with an error: \(error)") }
finish("mounted", results, isShown: true, output: CommandLine.arguments.dropFirst().first)
