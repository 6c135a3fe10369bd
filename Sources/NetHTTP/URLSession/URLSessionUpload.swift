#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import NetCore
internal import Synchronization

/// A request body that is made while it goes out: a task pulls the source and writes into one end of a bound pair of
/// streams, URLSession reads from the other.
///
/// Writing waits while URLSession is behind, on a queue of this body's own: that is the back-pressure. It ends when
/// URLSession closes its end of the pair, as it does when the task is cancelled.
final class URLSessionUpload: Sendable {
    /// What the exchange must know.
    enum Event: Sendable {
        /// The source has nothing to send now, or has again.
        case starved(Bool)
        /// Everything was handed over.
        case finished
        /// The source failed, or is not as long as declared.
        case failed(NetError)
    }

    /// How much lies between the two ends.
    private static let bufferSize = 64 << 10

    private let length: Int64?
    private let make: @Sendable () throws -> any BodySource
    private let report: @Sendable (Event) -> Void
    private let pump = Mutex<Task<Void, Never>?>(nil)

    init(
        length: Int64?, make: @escaping @Sendable () throws -> any BodySource,
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.length = length
        self.make = make
        self.report = report
    }

    /// A stream of the body from its beginning; the one before ends.
    func open() -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: Self.bufferSize, inputStream: &input, outputStream: &output)
        guard let output else { return nil }
        let writer = StreamWriter(output)
        let task = Task { [length, make, report] in
            do {
                try await Self.pump(make(), length: length, into: writer, report: report)
            } catch {
                report(
                    .failed(
                        NetError(error)
                            ?? NetError(
                                .encoding, phase: .sending,
                                message: "the request body cannot be read: \(ErrorSummary.describe(error))",
                                underlying: error)))
            }
            writer.close()
        }
        pump.withLock { pump in
            pump?.cancel()
            pump = task
        }
        return input
    }

    /// Stops the producer: the attempt is over.
    func stop() {
        pump.withLock { $0.take() }?.cancel()
    }

    private static func pump(
        _ source: any BodySource, length: Int64?, into writer: StreamWriter, report: @Sendable (Event) -> Void
    ) async throws {
        var sent: Int64 = 0
        report(.starved(true))
        while let chunk = try await source.next() {
            report(.starved(false))
            sent += Int64(chunk.count)
            if let length, sent > length { throw lengthError("is longer than", length) }
            guard await writer.write(chunk), !Task.isCancelled else { return source.cancel() }
            report(.starved(true))
        }
        if let length, sent < length { throw lengthError("ended after \(sent) of", length) }
        report(.finished)
    }

    private static func lengthError(_ what: String, _ length: Int64) -> NetError {
        NetError(.encoding, phase: .sending, message: "the request body \(what) its declared \(length) bytes")
    }
}

/// Writes into a stream, on a queue of its own because that may wait.
///
/// `@unchecked Sendable`: the stream is used on the queue alone.
private final class StreamWriter: @unchecked Sendable {
    private let output: OutputStream
    private let queue = DispatchQueue(label: "swift-net.upload")

    init(_ output: OutputStream) {
        self.output = output
        queue.async { self.output.open() }
    }

    /// False when nobody reads any more.
    func write(_ chunk: Bytes) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.writeAll(chunk)) }
        }
    }

    func close() {
        queue.async { self.output.close() }
    }

    private func writeAll(_ chunk: Bytes) -> Bool {
        chunk.withUnsafeBytes { bytes in
            var rest = bytes.bindMemory(to: UInt8.self)[...]
            while !rest.isEmpty {
                guard let base = UnsafeBufferPointer(rebasing: rest).baseAddress else { return false }
                let count = output.write(base, maxLength: rest.count)
                if count <= 0 { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
#endif
