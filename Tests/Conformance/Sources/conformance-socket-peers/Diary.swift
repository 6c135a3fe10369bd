#if Server
import NetCore
import NetSocketCore
import NetSocketServer
import Synchronization

/// The actions of clients at a server, in order, in the words that scripts look for: those of ``WireSignal/words`` if
/// they exist.
final class Diary: Sendable {
    private struct State {
        var lines: [String: [String]] = [:]
        /// The channels of each connection that was open at the last query.
        var topics: [CallID: Set<String>] = [:]
        var paths: [CallID: String] = [:]
    }

    private let state = Mutex(State())

    func note(_ words: String, on path: String) {
        state.withLock { $0.lines[path, default: []].append(words) }
    }

    /// Records a signal as seen by a handler.
    func note(_ signal: WireSignal, _ context: SocketContext<String>) {
        note(signal.words, on: context.connection.path)
    }

    /// Returns the events on a path, including the channels and the connections that have been left since the last
    /// query.
    func lines(on path: String, of server: SocketServer<String>) -> [String] {
        let open = server.connections.filter { $0.path == path }
        return state.withLock { state in
            let now = Dictionary(uniqueKeysWithValues: open.map { ($0.id, Set($0.topics)) })
            for (id, topics) in state.topics where state.paths[id] == path {
                for topic in topics.subtracting(now[id] ?? []).sorted() {
                    state.lines[path, default: []].append("leave \(topic)")
                }
                if now[id] == nil {
                    state.lines[path, default: []].append("gone")
                    state.topics[id] = nil
                }
            }
            for (id, topics) in now {
                state.topics[id] = topics
                state.paths[id] = path
            }
            return state.lines[path] ?? []
        }
    }
}
#endif
