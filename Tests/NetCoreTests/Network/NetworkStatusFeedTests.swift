import Foundation
import NetCore
import Testing

struct NetworkStatusFeedTests {
    private let wifi = NetworkStatus(.reachable, interfaces: [.wifi])
    private let cellular = NetworkStatus(.reachable, interfaces: [.cellular], isExpensive: true)

    @Test func aConsumerSeesTheStatusAndThenItsChanges() async {
        let feed = NetworkStatusFeed(wifi)
        var statuses = feed.statuses.makeAsyncIterator()
        #expect(await statuses.next() == wifi)
        feed.update(cellular)
        #expect(await statuses.next() == cellular)
        #expect(feed.status == cellular)
    }

    @Test func everyConsumerSeesThemAndALateOneTheNewest() async {
        let feed = NetworkStatusFeed()
        var (first, second) = (feed.statuses.makeAsyncIterator(), feed.statuses.makeAsyncIterator())
        #expect(await first.next()?.reachability == .unknown)
        feed.update(wifi)
        feed.update(cellular)
        var late = feed.statuses.makeAsyncIterator()
        #expect(await first.next() == cellular)
        #expect(await second.next() == cellular)
        #expect(await late.next() == cellular)
    }

    @Test func theTimeOfACheckIsNoChange() async {
        var feed: NetworkStatusFeed? = NetworkStatusFeed(wifi)
        var statuses = feed?.statuses.makeAsyncIterator()
        #expect(await statuses?.next() == wifi)
        var checked = wifi
        checked.checkedAt = Date(timeIntervalSince1970: 1)
        feed?.update(checked)
        #expect(feed?.status.checkedAt == checked.checkedAt)
        feed = nil
        #expect(await statuses?.next() == nil)
    }

    @Test func itEndsWithTheFeed() async {
        let statuses = NetworkStatusFeed(wifi).statuses
        var found: [NetworkStatus] = []
        for await status in statuses { found.append(status) }
        #expect(found == [wifi])
    }
}
