#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetStore
internal import NetTestServer
internal import NetTesting

/// Scenarios with bodies that are still arriving, and with calls that are cancelled.
enum StreamScenarios {
    static let all = [
        Scenario("download", "8 MiB in chunks, every byte compared.", expect: "8388608 bytes as sent, length known") {
            lab in
            let request = DownloadCoverRequest(bookID: Shelf.id(1))
            let response = try await lab.client.stream(request)
            var position: Int64 = 0
            for try await chunk in response.body {
                guard BytePattern.matches(chunk, at: position) else { return "byte \(position) or after differs" }
                position += Int64(chunk.count)
            }
            lab.count(.completed, of: request)
            let length = response.head[.contentLength].flatMap { Int64($0) }
            return "\(position) bytes as sent, length \(length == position ? "known" : "unknown")"
        },
        Scenario(
            "dropped download", "Dropping the body ends the transfer.", expect: "the server saw the client go away",
            needsWire: true
        ) { lab in
            let server = try lab.peer.server
            let request = DownloadCoverRequest(bookID: Shelf.id(1))
            for try await _ in try await lab.client.stream(request).body { break }
            lab.count(.cancelled, of: request)
            try await server.wait { requests, _ in requests.last?.outcome != .running }
            return server.requests.last?.outcome == .clientWentAway
                ? "the server saw the client go away" : "it went on"
        },
        Scenario("first event", "Leaving an event stream ends it.", expect: "packed, then no more") { lab in
            let request = WatchOrderRequest(orderID: 1002)
            var seen: [String] = []
            for try await event in try await lab.client.send(request) {
                seen.append("\(event.status)")
                break
            }
            lab.count(.cancelled, of: request)
            return seen.joined(separator: ", ") + ", then no more"
        },
        Scenario("20 at once", "Twenty calls at the same time, in one task group.", expect: "20 answers of 20 books") {
            lab in
            let titles = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 1...20 {
                    group.addTask { try await lab.send(GetBookRequest(bookID: Shelf.id(number))).title }
                }
                var titles: [String] = []
                for try await title in group { titles.append(title) }
                return titles
            }
            return "\(titles.count) answers of \(Set(titles).count) books"
        },
        Scenario(
            "half of 10", "Cancelling five of ten doesn't affect the others.", expect: "5 answered, 5 cancelled",
            needsWire: true
        ) { lab in
            let server = try lab.peer.server
            let before = server.requests.count
            let slow = (1...5).map { _ in Task { await lab.failure(of: GetBookRequest(bookID: ShopFault.slow.id)) } }
            let fast = (1...5).map { number in
                Task { try await lab.send(GetBookRequest(bookID: Shelf.id(number))).title }
            }
            var answered = 0
            for task in fast where !(try await task.value).isEmpty { answered += 1 }
            try await server.wait { requests, _ in requests.count >= before + 10 }
            var cancelled = 0
            for task in slow { task.cancel() }
            for task in slow where await task.value?.netError?.isCancellation == true { cancelled += 1 }
            return "\(answered) answered, \(cancelled) cancelled"
        },
    ]
}
#endif
