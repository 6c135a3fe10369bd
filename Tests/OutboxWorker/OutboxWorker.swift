internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetStore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A program for the tests of the outbox that is killed at arbitrary moments.
///
///     outbox-worker add FILE URL ACKNOWLEDGED FIRST COUNT PAUSE   adds and sends at the same time
///     outbox-worker send FILE URL                                 sends until nothing is left
///
/// `add` adds items FIRST, FIRST + 1 … with five order keys, and writes the number of the last accepted one, eight
/// bytes, to the file ACKNOWLEDGED. With COUNT 0 it never ends. It pauses PAUSE milliseconds after each item.
@main
struct OutboxWorker {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4 else { exit(2) }
        let outbox = try Outbox(path: arguments[2], configuration: configuration)
        let client = HTTPClient(baseURL: arguments[3]) { $0.timeouts = .total(.seconds(5)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await outbox.run(through: client) }
            if arguments[1] == "add", arguments.count == 8 {
                try await add(
                    to: outbox, acknowledged: arguments[4], first: Int(arguments[5]) ?? 0,
                    count: Int(arguments[6]) ?? 0,
                    pause: .milliseconds(Int(arguments[7]) ?? 0))
            }
            try await outbox.waitUntilIdle()
            group.cancelAll()
        }
        await outbox.close()
    }

    private static var configuration: Outbox.Configuration {
        Outbox.Configuration {
            $0.senderPollInterval = .milliseconds(20)
            $0.retryPolicy.backoff = Backoff(base: .milliseconds(10), cap: .milliseconds(100))
            $0.retryPolicy.maximumAttempts = 1000
        }
    }

    private static func add(to outbox: Outbox, acknowledged: String, first: Int, count: Int, pause: Duration)
        async throws
    {
        let notes = open(acknowledged, O_WRONLY | O_CREAT, 0o600)
        var number = first
        while count == 0 || number < first + count {
            let key = "key-\(number % 5)"
            let request = Request<Void>(
                "act", method: .post, query: ["line": key, "number": number], body: .text("item \(number)"))
            try await outbox.add(request, orderKey: key)
            var done = Int64(number)
            pwrite(notes, &done, 8, 0)
            number += 1
            if pause > .zero { try await Task.sleep(for: pause) }
        }
        close(notes)
    }
}
