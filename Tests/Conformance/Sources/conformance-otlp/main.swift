import Foundation
import NetCore
import NetHTTP
import NetStore

/// Fills a store with COUNT calls over real connections.
///
///     conformance-otlp FILE URL COUNT [PAUSE IN MICROSECONDS]
///
/// The server at the URL decides their outcome: some are retried, redirected, rejected or lost.
let arguments = CommandLine.arguments
guard arguments.count >= 4, let count = Int(arguments[3]) else {
    FileHandle.standardError.write(Data("usage: conformance-otlp FILE URL COUNT [PAUSE]\n".utf8))
    exit(2)
}
let pause = arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0
let store = try ActivityStore(
    path: arguments[1], configuration: ActivityStore.Configuration(retention: .none, version: "9.8.7"))
let retry = RetryMiddleware(
    RetryPolicy(maximumAttempts: 4, backoff: .constant(.milliseconds(1)), errors: [.connectionLost, .connect]))
let client = HTTPClient(baseURL: arguments[2]) {
    $0.middleware = [retry, TracePropagationMiddleware()]
    $0.listeners = [store]
    $0.timeouts = .total(.seconds(10))
}

/// Makes a call whose path determines the server's behavior.
@Sendable func call(_ number: Int) async {
    let kinds = ["ok", "ok", "flaky", "moved", "missing", "broken", "drop", "ok"]
    let options = RequestOptions {
        let operation = number % 4 == 0 ? nil : "get\(kinds[number % 8])"
        $0.metadata = RequestMetadata(name: "call \(number % 3)", operationID: operation, tags: ["t1", "ü\"\\"])
        if number % 5 == 0 {
            $0.metadata.traceContext = TraceContext(
                parent: TraceParent.random(.system, isSampled: number % 10 == 0))
        }
    }
    let request = Request<String>("\(kinds[number % 8])/\(number)", query: ["q": "é \(number)"], options: options)
    _ = try? await client.send(request)
}

await withTaskGroup(of: Void.self) { group in
    for number in 0..<count {
        if number >= 4 { await group.next() }
        group.addTask {
            await call(number)
            if pause > 0 { try? await Task.sleep(for: .microseconds(pause)) }
        }
    }
}
await client.shutdown()
try await store.close()
print("\(count) calls")
