/// A queue by priority: the highest leaves first, and elements of equal priority leave in the order in which they
/// entered.
///
/// Entering behind all others takes constant time. That is the usual case, since most elements have the same priority.
struct PriorityLine<Element> {
    private struct Place {
        let priority: Int8
        /// The element; nil in front of the head, so that elements that have left aren't retained.
        var element: Element?
    }

    private var places: [Place] = []
    private var head = 0

    var isEmpty: Bool { head == places.count }

    /// The waiting elements, first to last.
    var elements: [Element] { places[head...].compactMap(\.element) }

    mutating func enter(_ element: Element, priority: Int8) {
        let place = Place(priority: priority, element: element)
        guard !isEmpty, places[places.count - 1].priority < priority else {
            places.append(place)
            return
        }
        // The first place with a lower priority.
        var (low, high) = (head, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].priority >= priority { low = middle + 1 } else { high = middle }
        }
        places.insert(place, at: low)
    }

    /// Removes and returns the first element; nil if there is none.
    mutating func leave() -> Element? {
        guard !isEmpty else { return nil }
        let element = places[head].element.take()
        head += 1
        if head == places.count || head > 4096 {
            places.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Removes the first element for which a condition holds; returns false if there is none.
    mutating func remove(where isIt: (Element) -> Bool) -> Bool {
        guard let index = places[head...].firstIndex(where: { $0.element.map(isIt) ?? false }) else { return false }
        places.remove(at: index)
        return true
    }
}
