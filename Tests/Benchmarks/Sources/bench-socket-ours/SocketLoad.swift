internal import NetSocket
internal import SocketWorkload

/// The workloads over one `WebSocketConnection`.
struct SocketLoad {
    let workload: SocketWorkload
    let connection: WebSocketConnection

    func run(_ count: Int) async throws {
        switch workload.direction {
        case .echo: try await echo(count)
        case .out: try await send(count)
        case .in: try await receive(count)
        case .idle, .connect: break
        }
    }

    /// Sends a hundred messages in each direction concurrently.
    func exchange() async throws {
        let message = WebSocketMessage.binary(Bytes(workload.payload))
        try await connection.send(
            contentsOf: [WebSocketMessage](repeating: message, count: SocketWorkload.exchange))
        var received = 0
        while received < SocketWorkload.exchange { received += try await connection.receiveAll().count }
    }

    private func echo(_ count: Int) async throws {
        let message = WebSocketMessage.binary(Bytes(workload.payload))
        for index in 0..<count {
            try await connection.send(message)
            let answer = try await connection.receive()
            guard answer == message else {
                throw LostMessages(workload, expected: "an echo", found: "another message after \(index)")
            }
        }
    }

    private func send(_ count: Int) async throws {
        let message = WebSocketMessage.binary(Bytes(workload.payload))
        let batch = [WebSocketMessage](repeating: message, count: workload.batch)
        for _ in 0..<count / batch.count { try await connection.send(contentsOf: batch) }
        try await connection.send(contentsOf: Array(batch.prefix(count % batch.count)) + [.text("END")])
        let report = try await connection.receive().text ?? "bytes"
        guard report == workload.report(count) else {
            throw LostMessages(workload, expected: workload.report(count), found: report)
        }
    }

    private func receive(_ count: Int) async throws {
        try await connection.send(workload.command(count))
        var received = 0
        var hasEnded = false
        while !hasEnded {
            for message in try await connection.receiveAll() {
                switch message {
                case .binary(let bytes): received += bytes.count == workload.size ? 1 : 0
                case .text: hasEnded = true
                }
            }
        }
        guard received == count else { throw LostMessages(workload, expected: "\(count)", found: "\(received)") }
    }
}
