internal import HTTPTypes
internal import LoadDriver
internal import NetHTTP

/// A client over a transport with canned responses.
struct MemoryClient {
    private let client: HTTPClient
    private let paths: [Path]

    /// - Parameters:
    ///   - listeners: The listeners.
    ///   - size: The size in bytes of the response bodies, which are JSON; 0 for a short text.
    init(_ listeners: [any ActivityListener], size: Int = 0) {
        let transport = MemoryTransport(size: size)
        client = HTTPClient(
            configuration: HTTPClient.Configuration(baseURL: "https://api1.example.com", listeners: listeners),
            transport: transport)
        paths = (0..<1000).map { number in
            Path("v1/customers/\(10_000 + number)/orders/\(1_000_000 + number)/pages/3/sorted/by/creation/with/totals")
        }
    }

    func get(_ number: Int) async throws {
        let request = Request<Bytes>(paths[number % paths.count], serializer: .bytes)
        guard try await client.send(request).count > 0 else { throw UnexpectedAnswer("an empty answer") }
    }

    func shutdown() async { await client.shutdown() }
}

private struct MemoryTransport: HTTPTransport {
    private let bodies: [Bytes]

    init(size: Int) {
        guard size > 0 else {
            bodies = [Bytes("ok".utf8)]
            return
        }
        // All different, as in real responses: a store keeps equal ones only once.
        bodies = (0..<5000).map { number in
            var text = #"{"items":["#
            while text.utf8.count < size - 80 {
                let mix = CallSeries.mix(number &* 1000 + text.utf8.count)
                text +=
                    #"{"id":\#(mix % 100_000),"name":"item \#(mix >> 20 % 5000)","price":\#(mix >> 40 % 900).5,"isOpen":true},"#
            }
            return Bytes((text + #"{"id":\#(number)}]}"#).utf8)
        }
    }

    func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        let number = bodies.count == 1 ? 0 : Int(context.id.low % UInt64(bodies.count))
        return StreamedResponse(
            head: ResponseHead(status: .ok, headers: [.contentType: "application/json"]),
            body: ResponseBody(bodies[number]))
    }
}
