import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import Synchronization

/// Sends the requests of an order with a new client.
struct Sender {
    let order: Order
    private let client: HTTPClient
    private let request: Request<Bytes>

    init(order: Order, _ authority: String) throws {
        self.order = order
        var configuration = CurlTransport.Configuration()
        configuration.version = order.version == "2" ? .http2 : .http1
        configuration.tls.trust = .authorities(.text(authority))
        if let names = order.names { configuration.connection.dnsOverHTTPS = names }
        guard let method = HTTPRequest.Method(order.method) else {
            throw NetError(.invalidRequest, phase: .preparing, message: "no method: \(order.method)")
        }
        client = HTTPClient(baseURL: try BaseURL(order.server), transport: CurlTransport(configuration: configuration))
        {
            $0.timeouts = .total(.seconds(30))
            $0.redirects = .manual
            if let user = order.user {
                $0.middleware = [DigestMiddleware(user: user, password: order.password ?? "")]
            }
        }
        var request = Request<Bytes>(Path(order.path), method: method, body: Self.body(order), serializer: .bytes)
        for (name, value) in order.headers ?? [:] {
            if let name = HTTPField.Name(name) { request.headers[name] = value }
        }
        if order.expects == true { request.options.expectContinue = .seconds(3) }
        self.request = request
    }

    private static func body(_ order: Order) -> RequestBody {
        guard let count = order.bytes else { return .none }
        let bytes = Bytes([UInt8](repeating: UInt8(ascii: "x"), count: count))
        guard order.isStreamed == true else { return .bytes(bytes) }
        let chunks = AsyncStream<Bytes> { continuation in
            for start in stride(from: 0, to: count, by: 16_384) {
                continuation.yield(bytes[start..<min(count, start + 16_384)])
            }
            continuation.finish()
        }
        return .stream(chunks)
    }

    /// Sends the requests, and returns what came of them.
    func send() async -> Outcome {
        let work = Work(order.count ?? 1)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<(order.width ?? 1) {
                group.addTask { [client, request, work] in
                    while work.takesOne() {
                        do {
                            let response = try await client.response(request)
                            work.outcome.withLock { $0.add(response) }
                        } catch {
                            let error = NetError(error)
                            work.outcome.withLock { $0.add(error) }
                        }
                    }
                }
            }
        }
        await client.shutdown()
        return work.outcome.withLock { $0 }
    }
}

/// The number of requests that are left, and the outcome so far.
private final class Work: Sendable {
    let outcome = Mutex(Outcome())
    private let left: Atomic<Int>

    init(_ count: Int) { left = Atomic(count) }

    func takesOne() -> Bool { left.subtract(1, ordering: .relaxed).oldValue > 0 }
}

extension Outcome {
    fileprivate mutating func add(_ response: Response<Bytes>) {
        tally["\(response.status.code)", default: 0] += 1
        version = response.head.version
        (size, sum) = (response.value.count, Self.checksum(response.value))
        attempts = max(attempts, response.attempts)
    }

    fileprivate mutating func add(_ error: NetError?) {
        if error?.code == .unacceptableStatus, let response = error?.response {
            tally["\(response.head.status.code)", default: 0] += 1
            version = response.head.version
            (size, sum) = (response.body.count, Self.checksum(response.body))
            return
        }
        tally[error?.code.rawValue ?? "unknown", default: 0] += 1
        (message, mayHaveArrived) = (error?.message, error?.mayHaveArrived)
        (size, sum, version) = (nil, nil, nil)
    }

    /// Adler-32 (RFC 1950 section 8).
    private static func checksum(_ bytes: Bytes) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        bytes.withUnsafeBytes { raw in
            for byte in raw {
                low = (low + UInt32(byte)) % 65_521
                high = (high + low) % 65_521
            }
        }
        return high << 16 | low
    }
}
