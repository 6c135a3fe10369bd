internal import NetCore
internal import Synchronization

/// The hooks that see the result of one call, and the body that it was decoded from.
final class ResultObservation: Sendable {
    private let observers: [any ResultObserver]
    private let kept = Mutex<Bytes?>(nil)

    init(_ observers: [any ResultObserver]) { self.observers = observers }

    var body: Bytes? { kept.withLock { $0 } }

    func keep(_ bytes: Bytes) { kept.withLock { $0 = bytes } }

    func tell<R: APIRequest>(_ result: CallResult<R>) {
        for observer in observers { observer.received(result) }
    }
}
