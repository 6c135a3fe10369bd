import NetCore
import NetTesting
import Testing

@testable import NetHTTP

/// 10,000 downloads that are added and changed at random, in virtual time, compared with a model that is as simple as
/// the rules.
struct DownloadQueueModelTests {
    /// The rules without any optimization.
    private struct Model {
        struct Item {
            let id: Int
            let url: Int
            let host: Int
            var priority: Int8
            var order: Int64
            var state: DownloadState = .queued
            var isAllowed: Bool
            /// The reason why a run was asked to stop; nil if it wasn't, or isn't running.
            var stop: DownloadQueue<Int>.Stop?
            var hasSlot = false
        }

        var items: [Item] = []
        subscript(id: Int) -> Item? { items.first { $0.id == id } }

        /// Returns the download that has to start next.
        func next(_ concurrent: Int, _ perHost: Int) -> Int? {
            var hosts = [Int](repeating: 0, count: 7)
            for item in items where item.hasSlot { hosts[item.host] += 1 }
            guard hosts.reduce(0, +) < concurrent else { return nil }
            var best: Item?
            for item in items where item.state == .queued && !item.hasSlot && hosts[item.host] < perHost {
                guard let other = best, (item.priority, other.order) < (other.priority, item.order) else {
                    best = item
                    continue
                }
            }
            return best?.id
        }

        mutating func change(_ id: Int, _ body: (inout Item) -> Void) {
            if let index = items.firstIndex(where: { $0.id == id }) { body(&items[index]) }
        }
    }

    private let concurrent = 4
    private let perHost = 2
    private let limit = 60

    @Test(arguments: [1, 2, 3] as [UInt64])
    func orderCapsAndBoundHold(seed: UInt64) throws {
        let random = SeededRandom(seed: seed)
        func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        var queue = DownloadQueue<Int>(maximumConcurrent: concurrent, maximumPerHost: perHost, limit: limit)
        var model = Model()
        // The ends of runs, in virtual time.
        var ends: [Int: Int] = [:]
        var (now, added, started, refused, forbidden) = (0, 0, 0, (full: 0, queued: 0), Set<Int>())

        func take(_ actions: [DownloadQueue<Int>.Action]) {
            for action in actions {
                switch action {
                case .changed(let id, let state): model.change(id) { $0.state = state }
                case .start(let id):
                    started += 1
                    model.change(id) { $0.stop = nil }
                    ends[id] = now + 1 + pick(50)
                    if model[id]?.hasSlot == false {
                        model.change(id) { $0.state = .queued }
                        #expect(model.next(concurrent, perHost) == id)
                        model.change(id) { ($0.hasSlot, $0.state) = (true, .downloading) }
                    }
                case .stop(let id): ends[id] = now + 1 + pick(3)
                case .remove(let id): model.items.removeAll { $0.id == id }
                }
            }
        }

        while added < 10_000 / 3 || !ends.isEmpty {
            now += 1
            for id in ends.filter({ $0.value <= now }).keys.sorted() {
                ends[id] = nil
                let ending: DownloadQueue<Int>.Ending
                let stop = model[id]?.stop
                switch pick(10) {
                case 0: ending = .failed
                case 1 where stop == nil: ending = .noNetwork
                case _ where stop != nil && pick(5) > 0: ending = .stopped
                default: ending = .completed
                }
                if ending == .noNetwork { model.change(id) { $0.isAllowed = false } }
                let isAgain = ending == .stopped && stop == .again && model[id]?.isAllowed == true
                model.change(id) { $0.hasSlot = isAgain }
                take(queue.hasEnded(id, ending))
                let state = model[id]?.state
                switch (ending, stop) {
                case (.completed, _):
                    #expect(state == .completed)
                    model.items.removeAll { $0.id == id }
                    queue.forget(id)
                case (_, .cancelled): #expect(state == nil)
                case (_, .paused): #expect(state == .paused)
                case (.failed, _): #expect(state == .failed)
                case (.noNetwork, _): #expect(state == .waiting)
                default: break
                }
            }
            let item = model.items.isEmpty ? nil : model.items[pick(model.items.count)]
            switch pick(14) {
            case 0...5 where added < 10_000 / 3:
                let url = pick(400)
                let isFull = model.items.count { $0.state != .failed } >= limit
                let isQueued = model.items.contains { $0.url == url && $0.state != .failed }
                let isAllowed = !forbidden.contains(url % 5)
                do {
                    let priority = Int8(pick(4)) - 1
                    let order = try queue.add(
                        added, url: "\(url)", host: "\(url % 7)", priority: RequestPriority(rawValue: priority),
                        isAllowed: isAllowed)
                    #expect(!isFull)
                    #expect(!isQueued)
                    model.items.append(
                        .init(
                            id: added, url: url, host: url % 7, priority: priority, order: order, isAllowed: isAllowed))
                    if !isAllowed { model.change(added) { $0.state = .waiting } }
                    take(queue.wasAdded(added))
                    added += 1
                } catch {
                    #expect(isQueued || isFull)
                    if isQueued { refused.queued += 1 } else { refused.full += 1 }
                    if !isQueued { #expect(error == .isFull) }
                }
            case 6, 7:
                guard let item else { continue }
                if item.hasSlot, item.stop == nil || item.stop == .again { model.change(item.id) { $0.stop = .paused } }
                take(queue.pause(item.id))
            case 8, 9:
                guard let item else { continue }
                if item.stop == .paused { model.change(item.id) { $0.stop = .again } }
                take(try queue.resume(item.id))
            case 10:
                guard let item, pick(4) == 0 else { continue }
                if item.hasSlot { model.change(item.id) { $0.stop = .cancelled } }
                take(queue.cancel(item.id))
            case 11:
                guard let item, item.state == .failed else { continue }
                let isQueued = model.items.contains { $0.url == item.url && $0.state != .failed }
                let isFull = model.items.count { $0.state != .failed } >= limit
                do {
                    let actions = try queue.retry(item.id)
                    #expect(!isFull)
                    #expect(!isQueued)
                    model.change(item.id) { $0.order = queue.order(of: $0.id) ?? 0 }
                    // Before the start actions: the model checks them.
                    model.change(item.id) { $0.state = $0.isAllowed ? .queued : .waiting }
                    take(actions)
                } catch {
                    #expect(isFull || isQueued)
                }
            case 12:
                guard let item else { continue }
                let priority = Int8(pick(4)) - 1
                model.change(item.id) { $0.priority = priority }
                queue.setPriority(RequestPriority(rawValue: priority), of: item.id)
            default:
                guard pick(5) == 0 else { continue }
                // Networks forbid or hold fifths of all URLs.
                forbidden = Set((0..<5).filter { _ in pick(4) == 0 })
                let verdict: NetworkVerdict = pick(2) == 0 ? .isHeld : .isForbidden
                for item in model.items {
                    let isForbidden = forbidden.contains(item.url % 5)
                    model.change(item.id) { $0.isAllowed = !isForbidden }
                    guard isForbidden else { continue }
                    if item.state == .queued { model.change(item.id) { $0.state = .waiting } }
                    if verdict == .isForbidden, item.hasSlot, item.stop == nil {
                        model.change(item.id) { $0.stop = .again }
                    }
                }
                let urls = Dictionary(uniqueKeysWithValues: model.items.map { ($0.id, $0.url) })
                take(queue.networkChanged { forbidden.contains((urls[$0] ?? 0) % 5) ? verdict : .isAllowed })
            }
            #expect(queue.running == model.items.count(where: \.hasSlot))
            #expect(queue.running <= concurrent)
            #expect(queue.unfinished == model.items.count { $0.state != .failed })
            // No download waits that could start.
            #expect(model.next(concurrent, perHost) == nil)
            if added >= 10_000 / 3, ends.isEmpty {
                forbidden = []
                for item in model.items where item.state == .paused { take(try queue.resume(item.id)) }
                take(queue.networkChanged { _ in .isAllowed })
            }
        }
        #expect(started > 2000)
        #expect(refused.full > 10)
        #expect(refused.queued > 10)
        #expect(model.items.allSatisfy { [.failed, .paused, .waiting].contains($0.state) })
    }
}
