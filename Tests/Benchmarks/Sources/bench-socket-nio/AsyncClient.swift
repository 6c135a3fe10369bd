import NIOCore
import NIOWebSocket
import SocketWorkload

/// The workloads over `NIOAsyncChannel`.
struct AsyncClient {
    typealias Channel = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    let workload: SocketWorkload
    var inbound: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator
    let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>

    mutating func run(_ count: Int) async throws {
        switch workload.direction {
        case .echo: try await echo(count)
        case .out: try await send(count)
        case .in: try await receive(count)
        case .idle, .connect: break
        }
    }

    private mutating func echo(_ count: Int) async throws {
        let payload = ByteBuffer(bytes: workload.payload)
        for index in 0..<count {
            try await outbound.write(.message(.binary, payload))
            guard try await inbound.next()?.data == payload else {
                throw LostMessages(workload, expected: "an echo", found: "another message after \(index)")
            }
        }
    }

    private mutating func send(_ count: Int) async throws {
        let payload = ByteBuffer(bytes: workload.payload)
        var remaining = count
        while remaining > 0 {
            let batch = min(remaining, workload.batch)
            try await outbound.write(contentsOf: (0..<batch).lazy.map { _ in .message(.binary, payload) })
            remaining -= batch
        }
        try await outbound.write(.message(.text, ByteBuffer(string: "END")))
        let report = try await inbound.next().map { String(buffer: $0.data) } ?? "the end"
        guard report == workload.report(count) else {
            throw LostMessages(workload, expected: workload.report(count), found: report)
        }
    }

    private mutating func receive(_ count: Int) async throws {
        try await outbound.write(.message(.text, ByteBuffer(string: workload.command(count))))
        var received = 0
        while let frame = try await inbound.next(), frame.opcode == .binary {
            received += frame.data.readableBytes == workload.size ? 1 : 0
        }
        guard received == count else { throw LostMessages(workload, expected: "\(count)", found: "\(received)") }
    }
}
