#if Redis
import Foundation

/// Messages to a user, and closing the user's connections, reach the connections on all servers.
enum UserCase {
    static func run(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await Fleet.with(surroundings, broker: Broker.forgetful, servers: 2) { fleet in
            let eves = [fleet.client("eve", home: 0), fleet.client("eve", home: 1)]
            let ada = fleet.client("ada", home: 0)
            let bob = fleet.client("bob", home: 1)
            for client in fleet.clients { try await client.join() }
            for number in 0..<50 {
                _ = try await (number % 2 == 0 ? ada : bob).session.send(TellUser(user: "eve", text: "\(number)"))
            }
            let wanted = (0..<50).map { "\($0)" }
            for eve in eves {
                try await wait("eve has \(eve.others.count) of 50") { eve.others.count >= 50 }
                let texts = try eve.others.map { try $0.decoded(as: Said.self).text }
                // Two servers send them: only each server's own messages are in order.
                try expect(texts.sorted() == wanted.sorted(), "eve has \(texts)")
            }
            try expect(ada.others.isEmpty && bob.others.isEmpty, "others have what was said to eve")
            _ = try await ada.session.send(CloseUser(user: "eve"))
            for eve in eves { try await wait("eve is \(eve.session.state)") { eve.session.state.isOver } }
            for other in [ada, bob] { _ = try await other.session.send(Echo(text: "")) }
            return "50 pushes to a user on 2 servers, closed on both"
        }
    }
}
#endif
