/// The newest items up to a limit, oldest first. Adding an item takes constant time.
package struct RecentItems<Item: Sendable>: Sendable {
    /// A ring buffer when full; before that, and after ``removeAll()``, in order.
    private var storage: [Item] = []
    private var oldest = 0
    private let limit: Int
    /// The number of items dropped for newer ones since the last ``removeAll()``.
    package private(set) var forgotten = 0

    /// Keeps `limit` items, or none if `limit` is zero or less.
    package init(limit: Int) {
        self.limit = limit
    }

    /// The number of items kept.
    package var count: Int { storage.count }

    /// The items, oldest first.
    package var items: [Item] {
        oldest == 0 ? storage : Array(storage[oldest...] + storage[..<oldest])
    }

    /// The item at an index; 0 is the oldest.
    package subscript(place: Int) -> Item {
        get { storage[index(place)] }
        set { storage[index(place)] = newValue }
    }

    /// Adds an item; false if an older item was dropped or, with a limit of zero, this item.
    @discardableResult
    package mutating func append(_ item: Item) -> Bool {
        guard storage.count >= limit else {
            storage.append(item)
            return true
        }
        guard limit > 0 else { return false }
        storage[oldest] = item
        oldest = oldest + 1 == limit ? 0 : oldest + 1
        forgotten += 1
        return false
    }

    /// Drops all items.
    package mutating func removeAll() {
        storage.removeAll()
        oldest = 0
        forgotten = 0
    }

    private func index(_ place: Int) -> Int {
        let index = oldest + place
        return index < storage.count ? index : index - storage.count
    }
}
