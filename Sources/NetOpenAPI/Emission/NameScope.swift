/// The names of one scope: the first to ask gets the name, later ones a number, in the order of asking.
struct NameScope {
    private var taken: Set<String>

    init(_ taken: Set<String> = []) {
        self.taken = taken
    }

    func contains(_ name: String) -> Bool { taken.contains(name) }

    /// The first free of the names, else the first with a number.
    mutating func claim(_ candidates: String...) -> String {
        for name in candidates where taken.insert(name).inserted { return name }
        let base = candidates.last ?? "value"
        var number = 2
        while !taken.insert("\(base)\(number)").inserted { number += 1 }
        return "\(base)\(number)"
    }
}
