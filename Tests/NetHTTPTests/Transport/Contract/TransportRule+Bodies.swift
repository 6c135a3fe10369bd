#if Server
import Foundation
import HTTPTypes
import NetCore
import NetTesting
import Testing

extension TransportRule {
    static let bodies = [
        bodiesOfBytes, bodiesOfFiles, bodiesOfSequences, knownLengths, wrongLengths, failingSequences, bodiesOfGet,
        slowServers,
    ]

    static let bodiesOfBytes = TransportRule("a body of bytes arrives whole") { subject in
        try await subject.run([.mirror()]) { world in
            for count in [0, 1, 5, 70_000, 3_000_000] {
                let bytes = BytePattern.bytes(from: 3, count: count)
                let response = try await world.send("/mirror", .post, body: .bytes(bytes))
                #expect(try await response.body.collect(upTo: 10_000_000) == bytes)
            }
        }
    }

    static let bodiesOfFiles = TransportRule("a body of a file arrives whole") { subject in
        try await subject.run([.mirror()]) { world in
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            let bytes = BytePattern.bytes(from: 0, count: 300_000)
            try bytes.data.write(to: file)
            for method in [HTTPRequest.Method.put, .post] {
                let response = try await world.send("/mirror", method, body: .file(file.path))
                #expect(try await response.body.collect(upTo: 10_000_000) == bytes)
            }
        }
    }

    static let bodiesOfSequences = TransportRule("a body that is made while it goes out arrives whole") { subject in
        try await subject.run([.mirror()]) { world in
            for isLengthKnown in [true, false] {
                let body = RequestBody.stream(chunks(50, of: 30_001), length: isLengthKnown ? 1_500_050 : nil)
                let response = try await world.send("/mirror", .post, body: body)
                let back = try await response.body.collect(upTo: 10_000_000)
                #expect(back.count == 1_500_050)
                #expect(BytePattern.matches(back, at: 0))
            }
            let empty = try await world.send("/mirror", .post, body: .stream(chunks(0, of: 1)))
            #expect(try await empty.body.collect(upTo: 10).isEmpty)
        }
    }

    static let knownLengths = TransportRule("a streamed body names its length where it is known", needsSockets: true) {
        subject in
        try await subject.run([.mirror()]) { world in
            for length in [2002, nil] as [Int64?] {
                let body = RequestBody.stream(chunks(2, of: 1001), length: length)
                _ = try await world.send("/mirror", .post, body: body)
                #expect(world.lastRequest?.headers[values: .contentLength] == (length == nil ? [] : ["2002"]))
                #expect(world.lastRequest?.headers[.transferEncoding] == (length == nil ? "chunked" : nil))
            }
        }
    }

    static let wrongLengths = TransportRule("a body of another length than declared fails", needsSockets: true) {
        subject in
        try await subject.run([.mirror()]) { world in
            for declared in [99, 101] as [Int64] {
                let error = await world.failure("/mirror", .post, body: .stream(chunks(1, of: 100), length: declared))
                #expect(error?.code == .encoding, "\(error as Any)")
                #expect(error?.phase == .sending)
            }
        }
    }

    static let failingSequences = TransportRule("a body that fails on its way fails the call") { subject in
        try await subject.run([.mirror()]) { world in
            struct Broken: Error {}
            let broken = AsyncThrowingStream<Bytes, any Error> { continuation in
                continuation.yield(Bytes("begin".utf8))
                continuation.finish(throwing: Broken())
            }
            let error = await world.failure("/mirror", .post, body: .stream(broken))
            #expect(error?.code == .encoding, "\(error as Any)")
        }
    }

    static let bodiesOfGet = TransportRule("any method may have a body") { subject in
        try await subject.run([.mirror()]) { world in
            for method in [HTTPRequest.Method.get, .delete, .options] {
                let response = try await world.send("/mirror", method, body: .text("query"))
                #expect(try await response.body.collect(upTo: 100) == Bytes("query".utf8), "\(method)")
            }
        }
    }

    static let slowServers = TransportRule("a server that does not read holds the producer back", needsSockets: true) {
        subject in
        let isOpen = Gate()
        let slow = Stub.streaming(.post, "/slow") { _, body in
            await isOpen.wait()
            var count = 0
            for try await chunk in body { count += chunk.count }
            return .text("\(count)")
        }
        try await subject.run([slow]) { world in
            let (size, made) = (64 << 20, Counter())
            let chunk = BytePattern.bytes(from: 0, count: 128 << 10)
            let body = AsyncStream<Bytes>(unfolding: {
                guard made.value < size else { return nil }
                made.add(chunk.count)
                return chunk
            })
            async let answer = world.send("/slow", .post, body: .stream(body))
            // Waits until the producer has made no progress for a while: then the peer is holding it back.
            var last = -1
            while made.value != last || last == 0 {
                last = made.value
                try await Task.sleep(for: .milliseconds(300))
            }
            #expect(made.value < 32 << 20, "made \(made.value >> 20) MB ahead of a server that does not read")
            isOpen.open()
            #expect(try await answer.body.collect(upTo: 100) == Bytes("\(size)".utf8))
        }
    }

    private static func chunks(_ count: Int, of size: Int) -> AsyncStream<Bytes> {
        AsyncStream { continuation in
            for index in 0..<count {
                continuation.yield(BytePattern.bytes(from: Int64(index * size), count: size))
            }
            continuation.finish()
        }
    }
}
#endif
