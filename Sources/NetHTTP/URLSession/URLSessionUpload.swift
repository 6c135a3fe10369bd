#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import NetCore
internal import Synchronization

/// A request body that is produced while it's sent: a task pulls from the source and writes to one end of a bound
/// pair of streams; URLSession reads from the other.
///
/// If URLSession is behind, writing blocks, on this body's own queue; that provides the back-pressure. Writing ends
/// when URLSession closes its end of the pair, as it does if the task is cancelled.
final class URLSessionUpload: Sendable {
    /// An event for the exchange.
    enum Event: Sendable {
        /// The source currently has nothing to send, or has data again.
        case starved(Bool)
        /// The whole body was delivered.
        case finished
        /// The source failed, or its length differs from the declared one.
        case failed(NetError)
    }

    /// The buffer size between the two ends.
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

    /// Opens a stream of the body from its beginning; the previous stream ends.
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

    /// Stops the producer at the end of the attempt.
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

/// Writes to a stream, on a separate queue because writing may block.
///
/// `@unchecked Sendable`: the stream is used only on the queue.
private final class StreamWriter: @unchecked Sendable {
    private let output: OutputStream
    private let queue = DispatchQueue(label: "swift-net.upload")

    init(_ output: OutputStream) {
        self.output = output
        queue.async { self.output.open() }
    }

    /// Returns false if the stream is no longer being read.
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
