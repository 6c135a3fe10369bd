/// The operations of a document, grouped by their first tag.
struct TagGroups {
    struct Group {
        let tag: String
        var operations: [Int] = []
    }

    private(set) var groups: [Group] = []
    /// The operations without a tag.
    private(set) var rest: [Int] = []

    init(_ operations: [OperationModel]) {
        var places: [String: Int] = [:]
        for (index, operation) in operations.enumerated() {
            guard let tag = operation.tags.first, !tag.isEmpty else {
                rest.append(index)
                continue
            }
            let place = places[tag] ?? groups.count
            if place == groups.count {
                places[tag] = place
                groups.append(Group(tag: tag))
            }
            groups[place].operations.append(index)
        }
    }
}
