#if Tools && Server
internal import ArgumentParser
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetSocket

#if canImport(Glibc)
internal import Glibc
#endif

/// `net-lab connect`: a session over WebSockets in a terminal.
struct ConnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Talk to a WebSocket server: lines are commands, and everything it sends is printed.",
        discussion: """
            Type help for the commands. Standard input may be a script; it ends at the first line that can't be read:

              printf 'join room:1\\nin room:1\\nsend say {"text":"hello"}\\n' | net-lab connect ws://127.0.0.1:4000/socket --for 5s
            """)

    @Argument(help: "ws://, wss://, http:// or https://.")
    var url: String

    @Option(help: "The wire protocol: \(LabWires.names).")
    var wire = "json"

    @Option(help: "A header of the handshake, such as \"X-Tenant: harbour\"; may be repeated.")
    var header: [String] = []

    @Option(help: "A bearer token.")
    var bearer: String?

    @Option(help: "The JSON payload of the opening message, if the wire protocol has one.")
    var open: String?

    @Option(help: "The limit for each reply, such as 500ms, 10s or 1m.")
    var timeout: Seconds = Seconds(.seconds(10))

    @Option(name: .customLong("for"), help: "How long to listen after the end of the input.")
    var linger: Seconds = Seconds(.seconds(2))

    func validate() throws {
        guard LabWires.wire(wire) != nil else {
            throw ValidationError("there is no wire protocol \"\(wire)\"; available: \(LabWires.names)")
        }
        if let open, (try? JSONCoding.standard.decode(JSONValue.self, from: Bytes(open.utf8))) == nil {
            throw ValidationError("the opening payload isn't valid JSON")
        }
        for header in header where Self.field(header) == nil {
            throw ValidationError("\"\(header)\" isn't a header; write \"Name: value\"")
        }
    }

    func run() async throws {
        guard let wire = LabWires.wire(wire) else { return }
        let (fields, bearer, open) = (header.compactMap(Self.field), bearer, open)
        var configuration = SocketClient.Configuration(wire: wire, requestTimeout: timeout.duration)
        if let open { configuration.openPayload = { SocketPayload(json: open) } }
        let client = SocketClient(url, configuration: configuration) { request in
            for field in fields { request.headers[field.name] = field.value }
            if let bearer { request.bearer = bearer }
        }
        let start = ContinuousClock.now
        let conversation = Conversation(client, wire: wire, timeout: timeout.duration) { line in
            Terminal.print("\(Text.padLeft((ContinuousClock.now - start).seconds(places: 3), to: 8)) \(line)")
        }
        let isTyped = isatty(STDIN_FILENO) == 1
        if isTyped { Terminal.print(TypedLine.instructions) }
        do {
            try await conversation.run(
                Terminal.lines(), linger: isTyped ? .zero : linger.duration, isStrict: !isTyped)
        } catch let problem as TypedLine.Problem {
            throw ValidationError("\(problem)")
        } catch {
            Terminal.print("net-lab: \(NetError(error)?.reason ?? "\(error)")")
            throw ExitCode.failure
        }
    }

    private static func field(_ text: String) -> HTTPField? {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { return nil }
        return HTTPField(name: name, value: parts[1].trimmingCharacters(in: .whitespaces))
    }
}

/// A duration of the command line: a number and `ms`, `s` or `m`.
struct Seconds: ExpressibleByArgument {
    let duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    init?(argument: String) {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60)]
        for (unit, factor) in units where argument.hasSuffix(unit) {
            guard let number = Double(argument.dropLast(unit.count)), number >= 0, number < 1e6 else { continue }
            duration = .seconds(number * factor)
            return
        }
        return nil
    }

    var defaultValueDescription: String { "\(duration.seconds(places: 0))s" }
}
#endif
