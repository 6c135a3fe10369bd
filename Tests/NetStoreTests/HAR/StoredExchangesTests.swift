import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetStore

/// Stored calls in the form of exchanges.
struct StoredExchangesTests {
    private func call(_ attempts: [StoredAttempt], _ exchanges: [StoredExchange] = []) -> StoredDetail {
        var item = StoredItem(id: 1, uid: Events.id(1), kind: .call, startedAt: Events.start)
        (item.method, item.url, item.status) = ("GET", "https://a.test/x", 200)
        item.duration = .milliseconds(500)
        item.attempts = attempts.count
        return StoredDetail(item: item, attempts: attempts, exchanges: exchanges, owned: [])
    }

    @Test func `each attempt is an exchange, and a response of the cache comes last`() throws {
        var first = StoredAttempt(1)
        (first.start, first.end, first.method, first.url) = (.zero, .milliseconds(100), "GET", "https://a.test/x")
        first.failure = StoredFailure(code: "timeout", phase: "waiting", message: "too late")
        var second = StoredAttempt(2)
        (second.start, second.method, second.url) = (.milliseconds(200), "POST", "https://b.test/y")
        second.status = 304
        second.duration = .microseconds(90_003)
        second.phases = TransferPhases(
            queued: .microseconds(1), lookup: .microseconds(10), connect: .microseconds(100),
            secure: .microseconds(1000), sending: .microseconds(5), waiting: .microseconds(10_000),
            download: .microseconds(50_000))
        let cached = StoredExchange(
            number: 0, status: 200, responseHeaders: [.init(name: "Age", value: "3")],
            response: .init(bytes: Bytes("abcdef".utf8), size: 9, isCut: true),
            pieces: [.init(delay: .milliseconds(1), count: 2), .init(delay: .milliseconds(2), count: 7)])
        let found = call([first, second], [cached]).capturedExchanges()
        try #require(found.count == 3)
        #expect(found[0].failure == .init(code: "timeout", message: "too late"))
        #expect(found[0].duration == .milliseconds(100))
        #expect(found[0].metrics == nil)
        #expect(found[1].request.method == .post)
        #expect(found[1].request.url == "https://b.test/y")
        #expect(found[1].recordedAt == Events.start.addingTimeInterval(0.2))
        #expect(found[1].metrics?.phases == second.phases)
        #expect(found[1].metrics?.total == .microseconds(90_003))
        #expect(found[1].duration == .microseconds(40_003))
        let body = try #require(found[2].response?.body)
        #expect(body.pieces.map(\.bytes.count) == [2, 4])
        #expect(body.isCut)
        #expect(body.count == 9)
        #expect(body.isTimed)
        #expect(found[2].response?.headers[.age] == "3")
    }

    @Test func `a body that wasn't captured counts as cut`() {
        var attempt = StoredAttempt(1)
        (attempt.status, attempt.responseBytes) = (200, 2000)
        let found = call([attempt]).capturedExchanges()
        #expect(found.first?.response?.body.isCut == true)
        #expect(found.first?.response?.body.count == 2000)
        #expect(call([]).capturedExchanges().map(\.response?.status.code) == [200])
    }

    @Test func `a WebSocket hangs on the last attempt, with its end`() throws {
        var attempt = StoredAttempt(1)
        (attempt.status, attempt.start, attempt.duration) = (101, .zero, .milliseconds(10))
        attempt.url = "http://a.test/live"
        var socket = StoredItem(
            id: 2, uid: Events.id(1), kind: .socket, startedAt: Events.start.addingTimeInterval(0.01))
        (socket.status, socket.duration) = (1000, .milliseconds(100))
        let messages = [
            StoredMessage(
                number: 1, date: Events.start.addingTimeInterval(0.03), isSent: true, kind: .text, size: 2, text: "hi",
                bytes: nil, isCut: false),
            StoredMessage(
                number: 2, date: Events.start.addingTimeInterval(0.04), isSent: false, kind: .ping, size: 0, text: nil,
                bytes: Bytes(), isCut: false),
            StoredMessage(
                number: 3, date: Events.start.addingTimeInterval(0.05), isSent: false, kind: .binary, size: 1,
                text: nil, bytes: Bytes([7]), isCut: false),
        ]
        let found = try #require(call([attempt]).capturedExchanges(messages: messages, socket: socket).first)
        #expect(found.isHandshake)
        #expect(found.socket?.messages.map(\.delay) == [.milliseconds(20), .milliseconds(20)])
        #expect(found.socket?.messages.map(\.sender) == [.client, .server])
        #expect(found.socket?.ending == .closed(.normalClosure, reason: "", by: .client))
        #expect(found.socket?.endDelay == .milliseconds(60))
        #expect(found.socket?.isCut == false)
    }
}
