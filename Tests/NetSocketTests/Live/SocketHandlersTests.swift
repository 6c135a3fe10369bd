import NetCore
import NetSocketCore
import Synchronization
import Testing

@testable import NetSocket

/// The handlers that are called for a push, and the one that responds to a request.
@Suite(.timeLimit(.minutes(1)))
struct SocketHandlersTests {
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private let handlers = SocketHandlers()
    private let log = Log()

    private func add(_ name: String, _ event: String = "e", topic: String? = nil) -> SocketRegistration {
        handlers.add(event, topic: topic) { [log] _, _ in { log.add(name) } }
    }

    /// Returns the handlers called for a push.
    private func called(_ event: String = "e", topic: String? = nil) async -> [String] {
        var cache = PushCache()
        await handlers.calls(for: WirePush(event: event, topic: topic), &cache)?()
        return log.take()
    }

    @Test func theHandlersOfAnEventAreCalledInOrder() async {
        let registrations = [add("1"), add("2", topic: "t"), add("3", "other"), add("4")]
        #expect(registrations.map(\.number) == [1, 2, 3, 4])
        #expect(await called() == ["1", "4"])
        #expect(await called(topic: "t") == ["1", "2", "4"])
        #expect(await called(topic: "u") == ["1", "4"])
        #expect(await called("other", topic: "t") == ["3"])
        var cache = PushCache()
        let none = handlers.calls(for: WirePush(event: "unknown"), &cache)
        #expect(none == nil)
    }

    @Test func aHandlerThatIsRemovedIsGoneAtOnce() async {
        let (first, second) = (add("1"), add("2"))
        var cache = PushCache()
        let calls = handlers.calls(for: WirePush(event: "e"), &cache)
        handlers.remove(first)
        await calls?()
        #expect(log.take() == ["2"])
        #expect(await called() == ["2"])
        handlers.remove(first)
        handlers.remove(SocketRegistration(number: 99))
        #expect(await called() == ["2"])
        handlers.remove(second)
        #expect(await called() == [])
        let none = handlers.calls(for: WirePush(event: "e"), &cache)
        #expect(none == nil)
    }

    @Test func aPushThatAHandlerCannotReadIsNotItsOwn() async {
        _ = handlers.add("e", topic: nil) { _, _ in nil }
        var cache = PushCache()
        let none = handlers.calls(for: WirePush(event: "e"), &cache)
        #expect(none == nil)
        _ = add("1")
        #expect(await called() == ["1"])
    }

    private func answer(_ name: String, topic: String? = nil) -> SocketRegistration {
        handlers.add(answering: "e", topic: topic) { _ in SocketPayload(json: name) }
    }

    private func answerer(_ topic: String? = nil, event: String = "e") async throws -> String? {
        let request = WireRequest(id: 1, event: event, topic: topic)
        return try await handlers.answerer(of: request)?.answer(request)?.json
    }

    @Test func theNewestOfTheChannelAnswersElseTheNewestOfAll() async throws {
        #expect(try await answerer() == nil)
        _ = answer("1")
        let second = answer("2")
        let third = answer("3", topic: "t")
        _ = answer("4", topic: "u")
        #expect(try await answerer() == "2")
        #expect(try await answerer("t") == "3")
        #expect(try await answerer("v") == "2")
        #expect(try await answerer(event: "other") == nil)
        handlers.remove(third)
        handlers.remove(second)
        #expect(try await answerer() == "1")
        #expect(try await answerer("t") == "1")
        #expect(try await answerer("u") == "4")
    }

    @Test func afterTheEndNothingIsAdded() async throws {
        _ = (add("1"), answer("1"))
        handlers.removeAll()
        #expect(await called() == [])
        #expect(try await answerer() == nil)
        let late = (add("2"), answer("2"))
        #expect(late.0 != late.1)
        #expect(late.1.number == 4)
        #expect(await called() == [])
        #expect(try await answerer() == nil)
    }

    // MARK: Decoding

    private struct Text: SocketPush, Equatable {
        static let event = "e"
        var text: String
    }

    private struct Number: SocketPush, Equatable {
        static let event = "e"
        var number: Int
    }

    @Test func aTypeIsDecodedOnceAndTheFirstFailureIsReported() {
        var cache = PushCache()
        var failures: [NetError.Code] = []
        let push = WirePush(event: "e", payload: SocketPayload(json: #"{"text":"a"}"#))
        let other = WirePush(event: "e", payload: SocketPayload(json: #"{"text":"b"}"#))
        for found in [push, other] {
            #expect(cache.value(Text.self, of: found, .standard) { failures.append($0.code) } == Text(text: "a"))
        }
        #expect(failures == [])
        for _ in 0..<2 { #expect(cache.value(Number.self, of: push, .standard) { failures.append($0.code) } == nil) }
        #expect(failures == [.decoding])
        struct Third: SocketPush, Equatable {
            static let event = "e"
            var third: Int
        }
        #expect(cache.value(Third.self, of: push, .standard) { failures.append($0.code) } == nil)
        #expect(failures == [.decoding], "one is enough")
    }
}
