/// The names of one scope: the first claim for a name gets it, later ones get a number, in the order of the claims.
struct NameScope {
    private var taken: Set<String>

    init(_ taken: Set<String> = []) {
        self.taken = taken
    }

    func contains(_ name: String) -> Bool { taken.contains(name) }

    /// Returns the first free name of the candidates, or else the first candidate with a number.
    mutating func claim(_ candidates: String...) -> String {
        for name in candidates where taken.insert(name).inserted { return name }
        let base = candidates.last ?? "value"
        var number = 2
        while !taken.insert("\(base)\(number)").inserted { number += 1 }
        return "\(base)\(number)"
    }
}
