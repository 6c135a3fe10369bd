internal import Foundation
internal import FoundationNetworking
internal import LoadDriver
internal import Synchronization

/// URLSession, with a connection for each concurrent request, no cache and no cookies.
///
/// It trusts only the system's certificates: `scripts/bench` replaces them with the test server's.
struct URLSessionLoad: LoadClient {
    private let session: URLSession
    private let receiver = DownloadReceiver()
    private let downloads: URLSession

    init(_ settings: LoadSettings) throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = settings.usesHTTP2 ? 1 : max(8, settings.concurrency)
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.timeoutIntervalForRequest = 30
        session = URLSession(configuration: configuration)
        downloads = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    func get(_ url: String) async throws -> Int {
        try await collect(request(url)).count
    }

    func post(_ url: String, body: [UInt8]) async throws -> Int {
        var request = try request(url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(body)
        return try await collect(request).count
    }

    func typed(_ url: String) async throws -> Int {
        try JSONDecoder().decode(User.self, from: try await collect(request(url))).id
    }

    func download(_ url: String) async throws -> Int {
        let task = downloads.dataTask(with: try request(url))
        return try await withCheckedThrowingContinuation { continuation in
            receiver.begin(continuation)
            task.resume()
        }
    }

    func shutdown() async {
        session.invalidateAndCancel()
        downloads.invalidateAndCancel()
    }

    private func request(_ url: String) throws -> URLRequest {
        guard let url = URL(string: url) else { throw UnexpectedAnswer("\(url) is no URL") }
        return URLRequest(url: url)
    }

    private func collect(_ request: URLRequest) async throws -> Data {
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw UnexpectedAnswer("status \(status)") }
        return data
    }
}

/// Counts the bytes of one download at a time, without keeping them.
private final class DownloadReceiver: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var count = 0
        var continuation: CheckedContinuation<Int, any Error>?
    }

    private let state = Mutex(State())

    func begin(_ continuation: CheckedContinuation<Int, any Error>) {
        state.withLock { $0 = State(continuation: continuation) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { $0.count += data.count }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let ended = state.withLock { state in
            defer { state.continuation = nil }
            return state
        }
        if let error {
            ended.continuation?.resume(throwing: error)
        } else {
            ended.continuation?.resume(returning: ended.count)
        }
    }
}
