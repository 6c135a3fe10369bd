import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import Synchronization

// conformance-http-cache: a private cache in memory that is controlled over stdin and stdout, one JSON object per line
// (line protocol 1 of the runner).

/// The cache's clock: the machine's, advanced on demand. Its wall clock isn't advanced: tests run one after another,
/// and the servers of later ones haven't experienced the pauses of earlier ones.
final class MovedClock: Sendable {
    private let moved = Mutex(TimeInterval(0))

    func advance(by seconds: TimeInterval) { moved.withLock { $0 += seconds } }

    var netClock: NetClock {
        NetClock(
            now: { NetClock.system.now() + .seconds(self.moved.withLock { $0 }) },
            date: { Date() },
            sleep: { try await NetClock.system.sleep(for: $0) })
    }
}

struct Command: Decodable {
    let op: String
    let id: Int
    let method, url, body, redirect, cache: String?
    let headers: [[String]]?
    let timeout, ms: Int?

    private enum CodingKeys: String, CodingKey {
        case op, id, method, url, body, redirect, cache, headers, ms
        case timeout = "timeout_ms"
    }
}

struct Failure: Error {
    let kind, message: String
}

let clock = MovedClock()
let cacheMiddleware = CacheMiddleware()
let configuration = HTTPClient.Configuration(middleware: [cacheMiddleware], clock: clock.netClock)

func pairs(_ headers: HTTPFields) -> [[String]] { headers.map { [$0.name.rawName, $0.value] } }

func fetch(_ command: Command) async throws -> [String: Any] {
    let url = command.url ?? ""
    guard let parts = URLComponents(string: url), let scheme = parts.scheme, let host = parts.host else {
        throw Failure(kind: "url", message: "\(url) is no URL")
    }
    let authority = host + (parts.port.map { ":\($0)" } ?? "")
    let path =
        (parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath)
        + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    guard let method = HTTPRequest.Method(command.method ?? "GET") else {
        throw Failure(kind: "method", message: "\(command.method ?? "") is no method")
    }
    var head = HTTPRequest(method: method, scheme: scheme, authority: authority, path: path)
    for field in command.headers ?? [] {
        guard field.count == 2, let name = HTTPField.Name(field[0]) else { continue }
        head.headerFields.append(HTTPField(name: name, value: field[1]))
    }
    let interim = Mutex<[ResponseHead]>([])
    var options = RequestOptions()
    options.validation = .any
    options.redirects = command.redirect == "follow" ? .follow() : .manual
    options.cachePolicy = CachePolicy(fetchMode: command.cache ?? "default") ?? .default
    options.onInterimResponse = { head in interim.withLock { $0.append(head) } }
    if let limit = command.timeout { options.timeouts = Timeouts(total: .milliseconds(limit)) }
    let body: RequestBody.Content = command.body.map { .bytes(Bytes($0.utf8)) } ?? .none
    let request = PreparedRequest(head: head, body: body, options: options)
    // A separate connection per request: some tests announce fewer bytes than they send, and the rest would be taken
    // for the next response.
    let client = HTTPClient(configuration: configuration, transport: CurlTransport())
    do {
        let response = try await client.raw(prepared: request)
        return [
            "status": response.status.code, "headers": pairs(response.head.headers),
            "body": String(decoding: response.value, as: UTF8.self),
            "interim": interim.withLock { $0 }.map { [$0.status.code, pairs($0.headers)] as [Any] },
        ]
    } catch {
        throw Failure(kind: error.code == .timeout ? "timeout" : error.code.rawValue, message: error.message)
    }
}

func answer(_ command: Command) async -> [String: Any] {
    switch command.op {
    case "hello":
        return ["protocol": 1, "client": "NetHTTP", "features": ["interim", "clock"]]
    case "advance":
        clock.advance(by: Double(command.ms ?? 0) / 1000)
        return [:]
    case "fetch":
        do {
            return try await fetch(command)
        } catch let failure as Failure {
            return ["error": ["kind": failure.kind, "message": failure.message]]
        } catch {
            return ["error": ["kind": "unknown", "message": "\(error)"]]
        }
    default:
        return ["error": ["kind": "protocol", "message": "there is no op \"\(command.op)\""]]
    }
}

while let line = readLine() {
    guard let command = try? JSONDecoder().decode(Command.self, from: Data(line.utf8)) else {
        FileHandle.standardError.write(Data("conformance-http-cache: a line that is no command\n".utf8))
        continue
    }
    var object = await answer(command)
    object["id"] = command.id
    let data = try JSONSerialization.data(withJSONObject: object)
    FileHandle.standardOutput.write(data + Data("\n".utf8))
}
