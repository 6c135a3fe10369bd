internal import HTTPTypes
internal import Synchronization

/// A request's body source that provides trailers once it has ended.
final class TrailedBodySource: BodySource {
    private let body: any BodySource
    private let announced: RequestTrailers
    private let made = Mutex<HTTPFields?>(nil)

    init(_ body: any BodySource, _ announced: RequestTrailers) {
        self.body = body
        self.announced = announced
    }

    var trailers: HTTPFields? { made.withLock { $0 } }

    func next() async throws(NetError) -> Bytes? {
        if let chunk = try await body.next() { return chunk }
        if trailers == nil {
            let headers = try await announced.headers()
            made.withLock { $0 = headers }
        }
        return nil
    }

    func cancel() { body.cancel() }
}

/// A body source of complete bytes.
final class WholeBodySource: BodySource {
    private let bytes: Mutex<Bytes?>

    init(_ bytes: Bytes) {
        self.bytes = Mutex(bytes.isEmpty ? nil : bytes)
    }

    func next() async throws(NetError) -> Bytes? { bytes.withLock { $0.take() } }

    func cancel() { bytes.withLock { $0 = nil } }
}
