import Foundation
import NetCore
import NetTesting
import Synchronization
import TestSupport
import Testing

@testable import NetHTTP

struct DownloadNetworkTests {
    @Test(
        arguments: [
            (.any, true, true, false), (.notExpensive, true, false, false), (.notCellular, true, false, false),
            (.interface("eth0"), true, false, false), (.matching { $0.interface == "wwan0" }, false, true, false),
        ] as [(DownloadNetwork, Bool, Bool, Bool)])
    func eachRuleAllowsItsNetworks(rule: DownloadNetwork, wired: Bool, cellular: Bool, none: Bool) {
        let eth = NetworkStatus(.reachable, interfaces: [.wired], isExpensive: false, interface: "eth0")
        let wwan = NetworkStatus(.reachable, interfaces: [.cellular], isExpensive: true, interface: "wwan0")
        #expect((rule.verdict(on: eth) == .isAllowed) == wired)
        #expect((rule.verdict(on: wwan) == .isAllowed) == cellular)
        #expect((rule.verdict(on: NetworkStatus(.unreachable)) == .isAllowed) == none)
        // An unknown network isn't used by a rule that asks for something.
        if case .any = rule {
            #expect(rule.verdict(on: NetworkStatus()) == .isAllowed)
            #expect(rule.verdict(on: nil) == .isAllowed)
        } else {
            #expect(rule.verdict(on: NetworkStatus()) == .isForbidden)
            #expect(rule.verdict(on: nil) == .isHeld)
        }
    }

    @Test(
        arguments: [
            ([.wired], true), ([.wifi], true), ([.wifi, .vpn], true), ([.vpn], false), ([.cellular], false),
            ([.other], false),
            ([.cellular, .vpn], false), ([], false),
        ] as [(Set<NetworkStatus.Interface>, Bool)]) func theCostFollowsFromTheInterface(
            _ interfaces: Set<NetworkStatus.Interface>, _ isAllowed: Bool
        )
    {
        let status = NetworkStatus(.reachable, interfaces: interfaces)
        #expect((DownloadNetwork.notExpensive.verdict(on: status) == .isAllowed) == isAllowed)
    }

    @Test func aRuleIsTheSameInTheJournal() {
        for rule in [DownloadNetwork.any, .notExpensive, .notCellular, .interface("eth0")] {
            #expect("\(DownloadNetwork(named: "\(rule)"))" == "\(rule)")
        }
        #expect("\(DownloadNetwork(named: "\(DownloadNetwork.matching { _ in false })"))" == "matching")
    }

    /// Changes the status and waits until the manager has seen it.
    private func update(_ network: NetworkStatusFeed, _ status: NetworkStatus, _ fake: FakeDownloads) async {
        network.update(status)
        while fake.manager.board.state.withLock({ $0.status }) != status, !Task.isCancelled { await Task.yield() }
    }

    @Test func downloadsWaitForTheNetworkAndGoOnAtOnce() async throws {
        let network = NetworkStatusFeed(NetworkStatus(.unreachable))
        let fake = FakeDownloads { $0.network = network }
        let id = try await fake.add("a")
        #expect(fake.manager.task(id)?.state == .waiting)
        network.update(NetworkStatus(.reachable))
        let run = try await fake.runner.next()
        // Running downloads continue: a lost route is only a hint.
        await update(network, NetworkStatus(.unreachable), fake)
        let second = try await fake.add("b")
        #expect(fake.manager.task(id)?.state == .downloading)
        #expect(fake.manager.task(second)?.state == .waiting)
        let states = fake.manager.states(of: id)
        run.fail(.network, underlying: NetError(.connectionLost, phase: .receiving, message: "lost"))
        for await state in states where state == .waiting { break }
        #expect(fake.manager.task(id)?.error?.code == .network)
        network.update(NetworkStatus(.reachable))
        #expect(try await fake.runner.next().name == "a")
    }

    @Test func aDownloadThatIsAddedDuringAChangeOfTheNetworkWaitsForIt() async throws {
        let wifi = NetworkStatus(.reachable, interfaces: [.wifi])
        let phone = NetworkStatus(.reachable, interfaces: [.cellular])
        let fake = FakeDownloads { $0.network = NetworkStatusFeed(wifi) }
        try await fake.add("z")
        let board = fake.manager.board
        let place = try DownloadPlace("http://a.test/b")
        let (during, before) = (UUID(), UUID())
        // Rules are evaluated without the lock: one of them is the place for what may happen meanwhile.
        let rule = DownloadNetwork.matching { status in
            guard status == phone, board.task(during) == nil else { return true }
            let request = DownloadRequest("http://a.test/b", network: .notCellular)
            return (try? board.add(during, request, place, Date(), login: nil)) != nil
        }
        _ = try await fake.manager.enqueue(DownloadRequest("http://a.test/a", network: rule))
        board.networkChanged(phone)
        _ = board.wasAdded(during)
        #expect(fake.manager.task(during)?.state == .waiting)

        board.networkChanged(wifi)
        let changing = DownloadNetwork.matching { status in
            if status == wifi { board.networkChanged(phone) }
            return status == wifi
        }
        let request = DownloadRequest("http://a.test/c", network: changing)
        _ = try board.add(before, request, DownloadPlace(request.url), Date(), login: nil)
        _ = board.wasAdded(before)
        #expect(fake.manager.task(before)?.state == .waiting)
    }

    @Test func aNetworkThatIsForbiddenStopsWhatRuns() async throws {
        let wifi = NetworkStatus(.reachable, interfaces: [.wifi], isExpensive: false)
        let phone = NetworkStatus(.reachable, interfaces: [.cellular], isExpensive: true)
        let network = NetworkStatusFeed(wifi)
        let fake = FakeDownloads { $0.network = network }
        let id = try await fake.manager.enqueue(DownloadRequest("http://a.test/a", network: .notCellular))
        let other = try await fake.add("b")
        _ = try await fake.runner.next()
        let states = fake.manager.states(of: id)
        network.update(phone)
        #expect(try await fake.runner.next().name == "b")
        #expect(fake.manager.task(id)?.state == .waiting)
        try await fake.manager.pause(other)
        network.update(wifi)
        try await fake.runner.next().complete()
        #expect(
            await states.reduce(into: []) { $0.append($1) } == [
                .downloading, .waiting, .queued, .downloading, .completed,
            ])
        // Paused and resumed on a network where it may not run.
        await update(network, phone, fake)
        let third = try await fake.manager.enqueue(DownloadRequest("http://a.test/c", network: .notExpensive))
        try await fake.manager.pause(third)
        try await fake.manager.resume(third)
        #expect(fake.manager.task(third)?.state == .waiting)
    }
}
