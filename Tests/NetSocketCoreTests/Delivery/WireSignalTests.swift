import NetCore
import NetSocketCore
import Testing

/// The signals that count, and their sizes.
struct WireSignalTests {
    private static let payload = SocketPayload(json: "[1,2]")

    @Test func onlyApplicationSignalsAreNumbered() {
        for signal in [
            WireSignal.request(WireRequest(event: "a")), .reply(WireReply(id: 1, .success(nil))),
            .push(WirePush(event: "a")), .event(1, Self.payload), .completed(1, nil),
        ] { #expect(signal.isNumbered) }
        for signal in [
            WireSignal.open(nil), .opened(WireOpened()), .end(WireEnd()), .heartbeat(nil), .alive(nil), .cancel(1),
            .join(WireJoin(id: 1, topic: "t")), .joined(WireJoined(id: 1, topic: "t")),
            .joinRefused(1, topic: "t", SocketFailure("a")), .leave(1, topic: "t"), .left(nil, topic: "t", nil),
            .subscribe(1, Self.payload), .subscribed(1), .unsubscribe(1), .resume(WireResume(session: "s")),
            .resumed(WireResumed(epoch: "e", received: 0)), .numbered(1, .alive(nil)), .acknowledge(1),
        ] {
            #expect(!signal.isNumbered)
            #expect(signal.size == 0)
        }
    }

    @Test func theSizeIsThatOfNameAndPayload() {
        let sizes: [(WireSignal, Int)] = [
            (.request(WireRequest(event: "ä", payload: Self.payload)), 7), (.request(WireRequest(event: "abc")), 3),
            (.push(WirePush(event: "ä", payload: Self.payload, topic: "topic")), 7), (.push(WirePush(event: "")), 0),
            (.reply(WireReply(id: 1, event: "abc", .success(Self.payload))), 5),
            (.reply(WireReply(id: 1, .success(nil))), 0),
            (.reply(WireReply(id: 1, .failure(SocketFailure("code", "äb")))), 3), (.event(1, Self.payload), 5),
            (.completed(1, SocketFailure("a", "b")), 0),
        ]
        for (signal, size) in sizes { #expect(signal.size == size) }
    }
}
