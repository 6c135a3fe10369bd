#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show one call with its attempts and events.")

    @Argument(help: "The activity file.") var file: String
    @Argument(help: "The call's id; the beginning or the end of it is enough where only one call has it.")
    var id: String

    func validate() throws {
        guard !id.isEmpty else { throw ValidationError("The id is empty. `net-activity list` shows ids.") }
    }

    func run() async throws {
        let reader = try ActivityReader(path: file)
        let found = try await reader.calls(identifiedBy: id)
        guard let call = found.first else {
            throw Failure(description: "no call has the id \"\(Output.clean(id))\"; `net-activity list` shows ids")
        }
        guard found.count == 1 else {
            throw Failure(description: "several calls have the id \"\(Output.clean(id))\"; give more of it")
        }
        let detail = try await reader.call(id: call.id)
        await reader.close()
        guard let detail else { throw Failure(description: "the call was deleted just now") }
        facts(of: detail.call)
        attempts(of: detail)
        events(of: detail)
    }

    private func facts(of call: CallRecord) {
        fact("id", call.id.description)
        fact("request", "\(call.method) \(call.url)")
        if let operation = call.operation { fact("operation", operation) }
        if let name = call.name, name != call.operation { fact("name", name) }
        if !call.tags.isEmpty { fact("tags", call.tags.joined(separator: ", ")) }
        fact("started", call.startedAt.table + " UTC")
        let result = call.result
        fact("result", [call.outcome?.rawValue, result.text].compactMap { $0 }.joined(separator: ", "), result.colour)
        if let duration = call.duration { fact("took", duration.short) }
        if let failure = call.failure { fact("error", "\(failure.code) while \(failure.phase): \(failure.message)") }
        fact("sent", call.requestBytes.map(bytes) ?? "unknown")
        fact("received", call.responseBytes.map(bytes) ?? "unknown")
    }

    private func fact(_ name: String, _ value: String, _ colour: Output.Colour? = nil) {
        let label = (name + ":").padded(to: 11)
        for (index, line) in Output.wrap(Output.clean(value), to: Output.width - 11).enumerated() {
            print((index == 0 ? label : "".padded(to: 11)) + Output.colour(line, colour))
        }
    }

    private func attempts(of detail: CallDetail) {
        guard !detail.attempts.isEmpty else { return }
        var table = TextTable([
            .init(title: "TRY", isRight: true), .init(title: "RESULT", least: 9), .init(title: "DNS", isRight: true),
            .init(title: "CONNECT", isRight: true), .init(title: "TLS", isRight: true),
            .init(title: "FIRST BYTE", isRight: true), .init(title: "DOWNLOAD", isRight: true),
            .init(title: "TOTAL", isRight: true), .init(title: "HTTP"), .init(title: "CONNECTION", least: 4),
        ])
        for attempt in detail.attempts {
            let phases = attempt.phases
            let times = [
                phases.dns, phases.connect, phases.tls, phases.firstByte, phases.download, attempt.total,
            ]
            let result = attempt.failure?.code ?? attempt.status.map(String.init) ?? "no response"
            let connection = [attempt.isReused.map { $0 ? "used" : "new" }, attempt.remoteAddress]
            table.add(
                [.init("\(attempt.number)"), .init(result)] + times.map { .init($0?.short ?? "-") } + [
                    .init(attempt.version ?? "-"), .init(connection.compactMap { $0 }.joined(separator: " ")),
                ])
        }
        print("")
        for line in table.lines() { print(line) }
    }

    private func events(of detail: CallDetail) {
        var table = TextTable([
            .init(title: "AFTER", isRight: true), .init(title: "EVENT"), .init(title: "WHAT", least: 20),
            .init(title: "MORE", least: 20),
        ])
        for event in detail.events {
            table.add([
                .init(event.elapsed.short), .init(event.kind.rawValue), .init(event.title), .init(event.detail ?? ""),
            ])
        }
        print("")
        for line in table.lines() { print(line) }
    }
}

extension String {
    /// The text filled with spaces to that many columns.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - Output.columns(self)))
    }
}
#endif
