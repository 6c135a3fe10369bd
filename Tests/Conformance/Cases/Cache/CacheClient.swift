import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import Synchronization

/// A client with a private cache in memory, which carries out the runner's commands.
struct CacheClient {
    private let clock: CacheClock
    private let configuration: HTTPClient.Configuration

    init() {
        clock = CacheClock()
        configuration = HTTPClient.Configuration(middleware: [CacheMiddleware()], clock: clock.netClock)
    }

    /// Carries out a command, and returns the reply without its ID.
    func reply(to command: CacheCommand) async -> [String: Any] {
        switch command.op {
        case "hello":
            return ["protocol": 1, "client": "NetHTTP", "features": ["interim", "clock"]]
        case "advance":
            clock.advance(by: Double(command.ms ?? 0) / 1000)
            return [:]
        case "fetch":
            do throws(CacheFailure) {
                return try await fetch(command)
            } catch {
                return ["error": ["kind": error.kind, "message": error.message]]
            }
        default:
            return ["error": ["kind": "protocol", "message": "there is no op \"\(command.op)\""]]
        }
    }

    private func fetch(_ command: CacheCommand) async throws(CacheFailure) -> [String: Any] {
        let interim = Mutex<[ResponseHead]>([])
        var options = RequestOptions()
        options.validation = .any
        options.redirects = command.redirect == "follow" ? .follow() : .manual
        options.cachePolicy = CachePolicy(fetchMode: command.cache ?? "default") ?? .default
        options.onInterimResponse = { head in interim.withLock { $0.append(head) } }
        if let limit = command.timeout { options.timeouts = Timeouts(total: .milliseconds(limit)) }
        let body: RequestBody.Content = command.body.map { .bytes(Bytes($0.utf8)) } ?? .none
        let request = PreparedRequest(head: try head(of: command), body: body, options: options)
        // A separate connection per request: some tests announce fewer bytes than they send, and the rest would be
        // taken for the next response.
        let client = HTTPClient(configuration: configuration, transport: CurlTransport())
        do throws(NetError) {
            let response = try await client.raw(prepared: request)
            return [
                "status": response.status.code, "headers": pairs(response.head.headers),
                "body": String(decoding: response.value, as: UTF8.self),
                "interim": interim.withLock { $0 }.map { [$0.status.code, pairs($0.headers)] as [Any] },
            ]
        } catch {
            throw CacheFailure(kind: error.code == .timeout ? "timeout" : error.code.rawValue, message: error.message)
        }
    }

    private func head(of command: CacheCommand) throws(CacheFailure) -> HTTPRequest {
        let url = command.url ?? ""
        guard let parts = URLComponents(string: url), let scheme = parts.scheme, let host = parts.host else {
            throw CacheFailure(kind: "url", message: "\(url) isn't a URL")
        }
        let authority = host + (parts.port.map { ":\($0)" } ?? "")
        let path =
            (parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath)
            + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        guard let method = HTTPRequest.Method(command.method ?? "GET") else {
            throw CacheFailure(kind: "method", message: "\(command.method ?? "") isn't a method")
        }
        var head = HTTPRequest(method: method, scheme: scheme, authority: authority, path: path)
        for field in command.headers ?? [] {
            guard field.count == 2, let name = HTTPField.Name(field[0]) else { continue }
            head.headerFields.append(HTTPField(name: name, value: field[1]))
        }
        return head
    }

    private func pairs(_ headers: HTTPFields) -> [[String]] { headers.map { [$0.name.rawName, $0.value] } }
}
