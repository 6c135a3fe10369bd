#if canImport(Combine)
import Combine
import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Testing

/// A publisher has the same elements as the sequence.
@Suite(.timeLimit(.minutes(1)))
struct SocketPublisherTests {
    private struct Count: Codable, Sendable { var count: Int }

    @Test func theEventsOfASubscriptionArePublishedInOrder() async throws {
        let server = SocketPeer(wire: .graphQLTransport) { signal, _ in
            switch signal {
            case .open: [.opened(WireOpened())]
            case .subscribe(let id, _):
                (1...3).map { .event(id, SocketPayload(json: #"{"data":{"count":\#($0)}}"#)) } + [.completed(id, nil)]
            default: []
            }
        }
        try await server.client().withConnection { client in
            let operation = GraphQLSubscription("subscription { count }", as: Count.self)
            var seen: [Int] = []
            for try await event in client.subscribe(operation).publisher().values { seen.append(event.count) }
            #expect(seen == [1, 2, 3])
        }
    }
}
#endif
